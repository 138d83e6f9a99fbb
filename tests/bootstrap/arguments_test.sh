#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command line of ./bootstrap: what it refuses, with which exit code, before it touches anything.
set -euo pipefail

expect() {  # EXIT_CODE WORDS ARGUMENTS …
  local code=$1 words=$2 output status=0
  shift 2
  output=$(./bootstrap "$@" 2>&1) || status=$?
  if ((status != code)) || [[ $output != *"$words"* ]]; then
    printf './bootstrap %s: exit code %d (wanted %d), said:\n%s\nwanted: %s\n' "$*" "$status" "$code" "$output" "$words"
    exit 1
  fi
}

expect 0 './bootstrap run [RECIPE' help
expect 0 '--archs' --help
expect 2 './bootstrap run [RECIPE'
expect 2 'nothing that bootstrap can do' trian
expect 2 'clean knows no' clean --everything
expect 2 'build knows no' build nano
expect 2 'needs a value' build --archs
expect 2 'compute capabilities' build --archs 'sm_90'
expect 2 'compute capabilities' --archs=9 build
expect 2 'compute capabilities' build --archs '9.0 hopper'
