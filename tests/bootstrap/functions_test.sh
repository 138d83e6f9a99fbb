#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The set-up's own functions, each tried in a folder of its own; nothing is installed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/repository"
# The script without its last line, which would start it.
head -n -1 bootstrap >"$folder/repository/functions.sh"
cp requirements.txt "$folder/repository"
mkdir "$folder/repository/cmake"
cp cmake/steps.sh "$folder/repository/cmake"

check() {  # WHAT COMMAND …, run with the functions at hand
  local what=$1
  shift
  if ! output=$(bash -c ". '$folder/repository/functions.sh'; mkdir -p \"\$logs\" \"\$stamps\"; $*" 2>&1); then
    printf 'Not so: %s\n%s\n' "$what" "$output"
    exit 1
  fi
}

# shellcheck disable=SC2016  # expanded by the shell that check starts
{
  check 'a stamp holds for its key' 'stamp torch "torch==2.11.0" && stamped torch "torch==2.11.0"'
  check 'a stamp does not hold for another key' 'stamp torch 1 && ! stamped torch 2'
  check 'a requirement is found by its whole name' '[[ $(pinned torch) == torch==* && $(pinned torch | wc -l) == 1 ]]'
  check 'a missing package is named' '! command -v dpkg-query || [[ $(missing_packages bash no-such-package-here) == no-such-package-here ]]'
  check 'a step keeps its output in a log' 'step Echoing echo "try again" echo heard && grep -q heard "$logs/echo.log"'
  check 'a failed step ends the script and shows its log' '[[ $( (step Failing bad "call for help" sh -c "echo reason; exit 3") 2>&1 ) == *reason*"exit status 3"*"call for help"* ]]'
  check 'an interruption ends the step and its children' '
    marker=$build/alive
    (trap interrupted TERM; step Sleeping sleep advice sh -c "sleep 2 && touch $marker; true") >"$logs/out" 2>&1 & waiting=$!
    sleep 0.5; kill -TERM $waiting; status=0; wait $waiting || status=$?
    sleep 2.2; [[ $status == 130 && ! -e $marker ]] && grep -q interrupted "$logs/out"'
  check 'a half-installed package is dropped, a whole one stays' '
    site=$venv/lib/python3.11/site-packages
    mkdir -p "$site/half-1.dist-info" "$site/whole-1.dist-info" "$site/~alf"
    touch "$site/half-1.dist-info/RECORD" "$site/whole-1.dist-info/RECORD" "$site/whole-1.dist-info/INSTALLER"
    drop_half_installed
    [[ ! -e $site/half-1.dist-info && ! -e $site/~alf && -e $site/whole-1.dist-info ]]'
  check 'a PyTorch that is too old is refused' '
    printf "#!/bin/sh\necho VERSION=2.6.0\n" >"$build/python" && chmod +x "$build/python"
    python=$build/python
    [[ $( (pytorch) 2>&1 ) == *"2.6.0"*"too old"* ]]'
}
