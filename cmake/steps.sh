# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154  # build, logs, stamps and current are the caller's
# The steps of ./bootstrap: each with progress, a log file, and a stamp that says for what it was done.

show_progress() {  # TITLE SECONDS LOG: one living line on a terminal, else a line at the start and every half minute
  local last
  if [[ -t 1 ]]; then
    last=$(tail -c 3000 "$3" | tail -n 1 | tr -cd '[:print:]')
    printf '\r\033[K%s … %d s  %.60s' "$1" "$2" "$last"
  elif (($2 >= next_word)); then
    printf '%s … %d s\n' "$1" "$2"
    next_word=$(($2 + 30))
  fi
}

step() {  # TITLE LOG ADVICE COMMAND …: runs COMMAND with its output in LOG; a success within a second stays silent
  local title=$1 log=$logs/$2.log advice=$3 start=$SECONDS next_word=1 status=0
  shift 3
  printf '$ %s\n' "$*" >"$log"
  set -m  # a process group of its own, so that an interruption ends the whole tree
  "$@" >>"$log" 2>&1 </dev/null &
  current=$!
  set +m
  while kill -0 "$current" 2>/dev/null; do
    ((SECONDS == start)) || show_progress "$title" $((SECONDS - start)) "$log"
    sleep 0.1
  done
  wait "$current" || status=$?
  current=
  [[ ! -t 1 ]] || printf '\r\033[K'
  if ((status != 0)); then
    printf '\nThe last lines of %s:\n' "$log" >&2
    tail -n 25 "$log" | sed 's/^/    /' >&2
    fail "\"$title\" failed with exit status $status." "$advice"
  fi
  ((SECONDS - start < 1)) || printf '%s: done in %d s\n' "$title" $((SECONDS - start))
}

stamped() { [[ -f $stamps/$1 && $(<"$stamps/$1") == "$2" ]]; }  # NAME KEY

stamp() { printf '%s\n' "$2" >"$stamps/$1.new" && mv "$stamps/$1.new" "$stamps/$1"; }  # NAME KEY

hold_lock() {  # two calls at once would work on the same files
  mkdir -p "$logs" "$stamps" || fail "$build can not be written." "Check who owns it and whether the disk is full."
  exec {lock}>"$build/.lock"
  flock -n "$lock" && return
  echo 'Another bootstrap is at work here; waiting for it.'
  flock "$lock"
}
