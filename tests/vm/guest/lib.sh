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
