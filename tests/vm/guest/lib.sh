# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What cases say and ask. A case is a bash script that begins with
#   source "$(dirname "${BASH_SOURCE[0]}")/../guest/lib.sh"
# fails by its exit code, and leaves files in $RESULTS. Lines of its head say
#   # smoke: yes       it is run for every change
#   # timeout: 120     seconds that it may take

set -euo pipefail

readonly cgroups=/sys/fs/cgroup

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# This machine can't show it.
skip() {
  echo "$*"
  exit 77
}

# expect ACTUAL EXPECTED WHAT
expect() {
  [[ $1 == "$2" ]] || fail "$3: is '$1', expected '$2'"
}

# expect_near ACTUAL EXPECTED TOLERANCE WHAT: numbers.
expect_near() {
  awk -v a="$1" -v e="$2" -v t="$3" \
    'BEGIN { d = a - e; exit !(d <= t && d >= -t) }' ||
    fail "$4: is $1, expected $2 within $3"
  echo "$4: $1 (expected $2 within $3)"
}

# await SECONDS COMMAND...: until it succeeds.
await() {
  local until=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < until)) || fail "waited in vain for: $*"
    sleep 0.2
  done
}

# Microseconds of CPU that a cgroup, below the root, has had.
usage_of() {
  sed -n 's/^usage_usec //p' "$cgroups/$1/cpu.stat"
}

# property NAME: of the unit.
property() {
  systemctl show --value -p "$1" fairschedd.service
}

# The unit is active, and was restarted so many times.
restarted() {
  [[ $(property NRestarts) == "$1" && $(property ActiveState) == active ]]
}

# configure ARGUMENT...: what the unit's daemon is started with.
configure() {
  mkdir -p /etc/systemd/system/fairschedd.service.d
  printf '[Service]\nExecStart=\nExecStart=/usr/sbin/fairschedd %s\n' "$*" \
    >/etc/systemd/system/fairschedd.service.d/arguments.conf
  systemctl daemon-reload
}

# log_in {USER HOGS}...: a login session for each, with so many busy processes.
# Returns when they are there. They begin when all are logged in, as a login
# takes long on a busy machine.
log_in() {
  local begin
  begin=$(mktemp -u /run/begin.XXXXXX)
  local all=("$@")
  while (($# > 0)); do
    runuser -l "$1" -c "touch /tmp/in.$1; until [[ -e $begin ]]; do sleep 0.1; done
      for ((i = 0; i < $2; i++)); do sh -c 'while :; do :; done' & done; wait" \
      >/dev/null 2>&1 &
    await 120 test -e "/tmp/in.$1"
    rm "/tmp/in.$1"
    shift 2
  done
  touch "$begin"
  set -- "${all[@]}"
  while (($# > 0)); do
    await 60 has_hogs "$1" "$2"
    shift 2
  done
}

has_hogs() {
  (($(hogs_of "$1" | wc -l) == $2))
}

# Their pids.
hogs_of() {
  pgrep -u "$1" -f '^sh -c while' || true
}

log_out() {
  pkill -KILL -u "$1" || true
}

# where PID...: their cgroups, each once.
where() {
  local pid
  for pid in "$@"; do sed -n 's/^0:://p' "/proc/$pid/cgroup"; done | sort -u
}

# percent_of CGROUP CGROUP SECONDS: what the first one had of what both had, in
# percent.
percent_of() {
  local had
  read -r -a had < <(seconds_of "$3" "$1" "$2")
  percent "${had[@]}"
}

# metric NAME [LABEL="VALUE"]: of /metrics, the sum of a name's series, of all or
# of those with the label.
metric() {
  curl -fsS http://127.0.0.1:9977/metrics |
    awk -v name="$1" -v label="${2-}" \
      '$1 ~ "^" name "({|$)" && index($1, label) { sum += $2 }
       END { print sum + 0 }'
}

# The slice of a login's user, below the root.
slice_of() {
  local uid
  uid=$(id -u "$1")
  echo "user.slice/user-$uid.slice"
}

# All values of the cpu controller of a cgroup, below the root, as they are.
values_of() {
  (cd "$cgroups/$1" && grep -H '' cpu.weight cpu.idle cpu.max cpu.max.burst)
}

# run_hogs NAME COUNT SLICE: busy processes of a service. The weight is the
# default; that there is one turns the controller on.
run_hogs() {
  systemd-run --quiet --unit="$1.service" --slice="$3" -p CPUWeight=100 \
    sh -c "for i in \$(seq $2); do while :; do :; done & done; wait"
}

# seconds_of SECONDS CGROUP...: of CPU, that each had in the next so many.
seconds_of() {
  local seconds=$1 cgroup
  shift
  local -A since
  for cgroup in "$@"; do since[$cgroup]=$(usage_of "$cgroup"); done
  sleep "$seconds"
  for cgroup in "$@"; do
    awk -v b="${since[$cgroup]}" -v e="$(usage_of "$cgroup")" \
      'BEGIN { printf "%.3f ", (e - b) / 1e6 }'
  done
  echo
}

# percent A B: A of A and B.
percent() {
  awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f\n", 100 * a / (a + b) }'
}
