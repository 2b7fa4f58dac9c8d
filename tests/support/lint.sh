# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The frame of a check in tests/lint. The script that sources it defines
#   check ROOT    prints what is wrong in the tree ROOT; fails if anything is
#   self_test     shows with fixtures that it does
# and ends with: lint_main "$@"
#
#   tests/lint/NAME.sh ROOT | --self-test

set -uo pipefail

fixture=
wrong=0

lint_main() {
  if [[ ${1-} == --self-test ]]; then
    fixture=$(mktemp -d)
    trap 'rm -rf "$fixture"' EXIT
    self_test
    exit "$wrong"
  fi
  [[ -d ${1-} ]] || { echo "usage: $0 ROOT | --self-test" >&2; exit 2; }
  check "$1"
}

# put PATH LINE...: a file in the fixture.
put() {
  mkdir -p "$fixture/$(dirname "$1")"
  printf '%s\n' "${@:2}" >"$fixture/$1"
}

# red WHAT / green WHAT: the check must fail, or pass, on the fixture, which is
# empty again afterwards.
red() {
  if check "$fixture" >"$fixture.out" 2>&1; then
    echo "not refused: $1" >&2
    wrong=1
  fi
  clear_fixture
}

green() {
  if ! check "$fixture" >"$fixture.out" 2>&1; then
    echo "refused: $1" >&2
    cat "$fixture.out" >&2
    wrong=1
  fi
  clear_fixture
}

clear_fixture() {
  rm -rf "$fixture" "$fixture.out"
  mkdir "$fixture"
}

# files ROOT FIND-EXPRESSION...: those of the tree that are ours, sorted, with
# paths below ROOT.
files() {
  (cd "$1" && find . \( -path ./.git -o -path ./build -o -path ./proto/google \
    \) -prune -o -type f "${@:2}" -print | sed 's,^\./,,' | LC_ALL=C sort)
}

# refuse ROOT WHY PATTERN FILE...: fails, and shows the lines, if a line of one
# of the files matches.
refuse() {
  local root=$1 why=$2 pattern=$3
  shift 3
  (($# > 0)) || return 0
  if (cd "$root" && grep -nHE -- "$pattern" "$@"); then
    echo "^ $why"
    return 1
  fi
}
