#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The top level holds what it is meant to hold and nothing else.

# shellcheck source-path=SCRIPTDIR source=../support/lint.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/lint.sh"

readonly needed='.ci .clang-format .clang-tidy .gitignore CHANGELOG.md
CMakeLists.txt CMakePresets.json CONTRIBUTING.md LICENSE README.md agent client
deploy proto server tests'
readonly tolerated='.git build'

check() {
  local root=$1 failed=0 entry
  while IFS= read -r entry; do
    [[ " ${needed//$'\n'/ } $tolerated " == *" $entry "* ]] && continue
    echo "$entry: has no place at the top level"
    failed=1
  done < <(ls -A "$root")
  for entry in $needed; do
    [[ -e $root/$entry ]] && continue
    echo "$entry: is missing"
    failed=1
  done
  return "$failed"
}

put_needed() {
  local entry
  for entry in $needed; do put "$entry" ''; done
}

self_test() {
  put_needed
  put build ''
  green 'a tree in order'
  put_needed
  put notes.txt ''
  red 'notes at the top level'
  put_needed
  rm "$fixture/LICENSE"
  red 'no license'
}

lint_main "$@"
