#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# No file names a place that only one machine has.

# shellcheck source-path=SCRIPTDIR source=../support/lint.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/lint.sh"

# Written so that this file does not hold what it looks for.
readonly places='(^|[^A-Za-z0-9_.$}-])/(home|work|root|Users|tmp/build)/[A-Za-z0-9]'

check() {
  local all
  mapfile -t all < <(files "$1" ! -name '*.png')
  refuse "$1" "a path of one machine" "$places" "${all[@]}"
}

self_test() {
  put README.md 'unix:/run/fairsched/api.sock, /sys/fs/cgroup/x, tests/work/a'
  green 'a tree in order'
  local place
  for place in home work root tmp/build; do
    put README.md "see /$place/me/notes"
    red "a path below $place"
  done
}

lint_main "$@"
