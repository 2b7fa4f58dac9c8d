# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Busy processes of a uid, and how much CPU they had. Sourced by bash scripts.
#
# All hogs are in the session of the script that starts them: the kernel's
# autogroup shares the CPU by session, and a session for each user would be a
# fairness of its own that a plain kernel does not have between uids.

# shellcheck disable=SC2034  # for the scripts that source this

# Every hog of this script, to be stopped in the end.
hog_pids=()
# Those of the last start_hogs.
started_pids=()

# start_hogs UID COUNT: starts them; their ids are in started_pids.
start_hogs() {
  local uid=$1 count=$2 i
  started_pids=()
  for ((i = 0; i < count; i++)); do
    setpriv --reuid "$uid" --regid "$uid" --clear-groups -- \
      sh -c 'while :; do :; done' &
    started_pids+=($!)
    hog_pids+=($!)
  done
}

stop_hogs() {
  local pid
  ((${#hog_pids[@]} == 0)) && return 0
  kill -KILL "${hog_pids[@]}" 2>/dev/null || true
  for pid in "${hog_pids[@]}"; do
    wait "$pid" 2>/dev/null || true
  done
  hog_pids=()
}

# uids_in_use UID...: the ids of processes that have one of them.
uids_in_use() {
  local uids=$*
  grep -lE "^Uid:.*[[:space:]](${uids// /|})([[:space:]]|$)" \
    /proc/[0-9]*/status 2>/dev/null | cut -d/ -f3 || true
}
