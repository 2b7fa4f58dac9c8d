#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every shell script parses, and is fine by shellcheck where that is installed.

# shellcheck source-path=SCRIPTDIR source=../support/lint.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/lint.sh"

check() {
  local root=$1 failed=0 file scripts=()
  while IFS= read -r file; do
    [[ $file == *.sh || $(head -c 20 "$root/$file") =~ ^#!.*sh ]] || continue
    scripts+=("$file")
    bash -n "$root/$file" || failed=1
  done < <(files "$root" \( -name '*.sh' -o -perm -u+x ! -name '*.*' \))
  if ((${#scripts[@]} > 0)) && command -v shellcheck >/dev/null; then
    (cd "$root" && shellcheck -x -S warning "${scripts[@]}") || failed=1
  fi
  return "$failed"
}

self_test() {
  put a.sh '#!/bin/bash' 'echo fine'
  green 'a tree in order'
  put a.sh '#!/bin/bash' 'if true; then'
  red 'a script that does not parse'
  put run '#!/bin/bash' 'echo $('
  chmod +x "$fixture/run"
  red 'a script without a suffix that does not parse'
}

lint_main "$@"
