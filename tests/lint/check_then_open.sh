#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Files of the kernel come and go: whether one is there is found out by opening
# it, never by asking before.

# shellcheck source-path=SCRIPTDIR source=../support/lint.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/lint.sh"

check() {
  local sources
  mapfile -t sources < <(files "$1" -path './agent/kernel/*' \
    \( -name '*.h' -o -name '*.cc' \))
  refuse "$1" "open it and see" \
    '(^|[^A-Za-z_>.])(access|faccessat|euidaccess)\(|filesystem::exists|[^A-Za-z_]exists\(' \
    "${sources[@]}"
}

self_test() {
  put agent/kernel/a.cc 'openat(fd, name, O_RDONLY);' 'DenyAccess(path);'
  put server/a.cc 'access("/etc/passwd", R_OK);'
  green 'a tree in order'
  put agent/kernel/a.cc 'if (access(path, R_OK) == 0) {'
  red 'access() before open()'
  put agent/kernel/a.cc 'if (!std::filesystem::exists(path)) {'
  red 'exists() before open()'
}

lint_main "$@"
