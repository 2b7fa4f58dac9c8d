# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A fairschedd that lives in a directory of its own and leaves nothing behind.
# Sourced, after measure.sh, by bash scripts that set before the first call:
#   fairschedd, fairctl   the binaries
#   place                 an empty directory of root's
# shellcheck disable=SC2154  # those two

daemon_pid=

# fairctl with the throwaway daemon.
ctl() {
  "$fairctl" --address "unix:$place/run/api.sock" "$@"
}

# Directories of a fairsched tree in any cgroup hierarchy.
fairsched_cgroups() {
  find /sys/fs/cgroup -type d -name fairsched 2>/dev/null || true
}

daemon_arguments() {
  printf '%s\0' --state-dir "$place/state" --runtime-dir "$place/run" \
    --socket "$place/run/api.sock" --http-address 127.0.0.1:0 --placement own
}

# start_daemon ARGUMENT...: starts it and waits until it answers; else shows
# what it said and fails.
start_daemon() {
  local arguments=()
  mkdir -p "$place/state" "$place/run"
  mapfile -d '' arguments < <(daemon_arguments)
  if [[ $(cat /proc/1/comm) == systemd ]]; then
    start_in_scope "${arguments[@]}" "$@" &
  else
    exec_daemon "${arguments[@]}" "$@" &
  fi
  daemon_pid=$!
  await_daemon
}

exec_daemon() {
  exec "$fairschedd" "$@" >"$place/log" 2>&1
}

# systemd owns the cgroup tree: a scope with delegation is the place that it
# leaves to others, and the daemon makes its tree where it is.
start_in_scope() {
  exec systemd-run --quiet --scope -p Delegate=cpu \
    --unit="fairsched-quickstart-$$" "$fairschedd" "$@" >"$place/log" 2>&1
}

await_daemon() {
  local tries
  for ((tries = 0; tries < 100; tries++)); do
    if ctl --timeout 1s status >/dev/null 2>&1; then return 0; fi
    if ! kill -0 "$daemon_pid" 2>/dev/null; then break; fi
    pause 0.1
  done
  echo "fairschedd did not come up; it said:" >&2
  cat "$place/log" >&2
  return 1
}

# Where its HTTP server listens.
http_address() {
  cat "$place/run/http.address" 2>/dev/null
}

# Stops it, by force after 10 s, which a release then makes good.
stop_daemon() {
  local tries
  [[ -n $daemon_pid ]] || return 0
  kill -TERM "$daemon_pid" 2>/dev/null || true
  for ((tries = 0; tries < 100; tries++)); do
    kill -0 "$daemon_pid" 2>/dev/null || break
    sleep 0.1
  done
  if kill -KILL "$daemon_pid" 2>/dev/null; then
    echo "fairschedd did not stop in 10 s and was killed" >&2
    "$fairschedd" --runtime-dir "$place/run" --state-dir "$place/state" \
      --release >&2 || true
  fi
  wait "$daemon_pid" 2>/dev/null || true
  daemon_pid=
}
