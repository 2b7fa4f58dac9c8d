#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sources and scripts say their license in the first line, or in the second one
# behind a #!.

# shellcheck source-path=SCRIPTDIR source=../support/lint.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/lint.sh"

check() {
  local root=$1 failed=0 file line
  while IFS= read -r file; do
    line=$(sed -n '1{/^#!/!{p;q}};2{p;q}' "$root/$file")
    [[ $line =~ ^(//|#)\ SPDX-License-Identifier:\ Apache-2\.0$ ]] && continue
    echo "$file: no SPDX-License-Identifier: Apache-2.0 at its beginning"
    failed=1
  done < <(
    files "$root" \( -name '*.h' -o -name '*.cc' -o -name '*.sh' \)
    scripts "$root"
  )
  return "$failed"
}

# Those without a suffix.
scripts() {
  files "$1" -perm -u+x ! -name '*.*' ! -path './.git/*'
}

self_test() {
  put a.cc '// SPDX-License-Identifier: Apache-2.0'
  put a.sh '#!/bin/sh' '# SPDX-License-Identifier: Apache-2.0'
  put lib.sh '# SPDX-License-Identifier: Apache-2.0'
  green 'a tree in order'
  put a.h '#ifndef A_H_' '// SPDX-License-Identifier: Apache-2.0'
  red 'a header that says it too late'
  put a.cc '// SPDX-License-Identifier: MIT'
  red 'another license'
  put run '#!/bin/sh' 'exit'
  chmod +x "$fixture/run"
  red 'a script without one'
}

lint_main "$@"
