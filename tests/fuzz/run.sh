#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PROGRAM CORPUS SECONDS FOUND: fuzzes on a copy of the corpus, so that the repository stays as it is; an input that
# breaks the program is kept in FOUND and printed in base64.
set -euo pipefail
program=$1 corpus=$2 seconds=$3 found=$4

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
[[ -d $corpus ]] || { echo "The corpus $corpus is missing."; exit 1; }
cp -r "$corpus/." "$copy"
mkdir -p "$found"
cd "$copy"
if ! "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
  -artifact_prefix="$found/$(basename "$program")-" "$copy" 2>log; then
  tail -n 60 log
  for input in "$found/$(basename "$program")-"*; do
    printf '%s:\n' "$input"
    head -c 2000 "$input" | base64
  done
  exit 1
fi
grep -E 'number_of_executed_units|new_units_added' log
