#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every *_test.cc is in a folder that tests/CMakeLists.txt makes a suite of: a
# test that is never built proves nothing.

# shellcheck source-path=SCRIPTDIR source=../support/lint.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/lint.sh"

check() {
  local root=$1 failed=0 file folder
  while IFS= read -r file; do
    folder=$(dirname "${file#tests/}")
    grep -qE "^ *fairsched_test_suite\([a-z_]+ $folder " \
      "$root/tests/CMakeLists.txt" && continue
    echo "$file: is in no suite of tests/CMakeLists.txt"
    failed=1
  done < <(files "$root" -name '*_test.cc')
  return "$failed"
}

self_test() {
  local suite='fairsched_test_suite(core_unit unit/core unit)'
  put tests/CMakeLists.txt "$suite"
  put tests/unit/core/a_test.cc ''
  green 'a tree in order'
  put tests/CMakeLists.txt "$suite"
  put tests/unit/other/a_test.cc ''
  red 'a test in a folder without a suite'
  put tests/CMakeLists.txt "$suite"
  put agent/core/a_test.cc ''
  red 'a test beside the code'
  put tests/CMakeLists.txt "# $suite"
  put tests/unit/core/a_test.cc ''
  red 'a suite that is commented out'
}

lint_main "$@"
