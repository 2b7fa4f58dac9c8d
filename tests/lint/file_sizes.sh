#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Small files: none over 500 lines, and the median of the C++ files at most 120.

# shellcheck source-path=SCRIPTDIR source=../support/lint.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/lint.sh"

readonly most=500 most_median=120

sizes() {
  (cd "$1" && xargs -r wc -l) < <(files "$@") | awk '$2 != "total" { print $1, $2 }'
}

check() {
  local root=$1 large median
  large=$(sizes "$root" \( -name '*.h' -o -name '*.cc' -o -name '*.proto' \
    -o -name '*.sh' -o -path './deploy/*' -o -path './.ci/*' \) |
    awk -v most="$most" '$1 > most { print $2 ": " $1 " lines" }')
  median=$(sizes "$root" \( -name '*.h' -o -name '*.cc' \) | sort -n |
    awk '{ n[NR] = $1 } END { print NR ? n[int((NR + 1) / 2)] : 0 }')
  echo "median of the C++ files: $median lines (at most $most_median)"
  sizes "$root" \( -name '*.h' -o -name '*.cc' \) | sort -rn | head -5
  if [[ -n $large ]]; then
    echo "over $most lines:" "$large"
    return 1
  fi
  ((median <= most_median))
}

lines() {
  seq "$1"
}

self_test() {
  put agent/a.cc "$(lines 500)"
  put agent/b.cc "$(lines 120)"
  put agent/c.cc "$(lines 10)"
  green 'a tree in order'
  put agent/a.cc "$(lines 501)"
  put agent/b.cc one
  put agent/c.cc one
  red 'a file of 501 lines'
  put agent/a.cc "$(lines 121)"
  red 'a median of 121 lines'
}

lint_main "$@"
