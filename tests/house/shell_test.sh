#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs shellcheck over every script of the repository; skipped where shellcheck is not installed (.ci/run installs it).
set -euo pipefail
command -v shellcheck >/dev/null || { echo 'shellcheck is not installed'; exit 77; }
mapfile -t scripts < <(find bootstrap .ci/run cmake tests bench -type f \( -name '*.sh' -o -name bootstrap -o -path .ci/run \) 2>/dev/null)
shellcheck -x "${scripts[@]}"
