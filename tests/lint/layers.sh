#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Layers include only what is below them.

# shellcheck source-path=SCRIPTDIR source=../support/lint.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/lint.sh"

# rule ROOT FOLDER WHY INCLUDED: no source of the folder includes what begins
# so.
rule() {
  local root=$1 folder=$2 sources
  mapfile -t sources < <(files "$root" -path "./$folder/*" \
    \( -name '*.h' -o -name '*.cc' \))
  refuse "$root" "$folder: $3" "^ *# *include *[<\"]($4)" "${sources[@]}" ||
    failed=1
}

check() {
  local root=$1 failed=0 folder
  rule "$root" agent "knows neither the API nor its users" \
    '(proto|fairsched|google|grpc|grpcpp|prometheus|server|client)/'
  rule "$root" agent/core "is pure: knows no other part of the agent" \
    'agent/(kernel|runtime|sim)/'
  rule "$root" agent/core "is pure: no I/O, threads, clocks" \
    '(thread|mutex|chrono|fstream|iostream)>|(fcntl|unistd)\.h|sys/|absl/(time/clock|synchronization)'
  rule "$root" agent/runtime "meets the kernel by its interfaces only" \
    'agent/kernel/'
  rule "$root" server "and the client meet in the API only" 'client/'
  rule "$root" client "and the server meet in the API only" 'server/'
  rule "$root" client "needs nothing of the agent but its macros" \
    'agent/(kernel|runtime|sim|core/([^s]|s[^t]))'
  for folder in agent server client; do
    rule "$root" "$folder" "ships without tests" 'tests/'
  done
  services_know_no_kernel "$root" || failed=1
  return "$failed"
}

# The daemon joins the two; what answers calls must not.
services_know_no_kernel() {
  local sources
  mapfile -t sources < <(files "$1" -path './server/*' \
    \( -name '*.h' -o -name '*.cc' \) ! -path ./server/main.cc \
    ! -path './server/daemon*' ! -path './server/kernel_node*')
  refuse "$1" "only the daemon joins the server and the kernel" \
    '^ *# *include *"agent/kernel/' "${sources[@]}"
}

self_test() {
  put agent/core/a.cc '#include <vector>' '#include "agent/core/a.h"'
  put agent/runtime/a.cc '#include <mutex>' '#include "agent/core/a.h"'
  put agent/kernel/a.cc '#include "agent/runtime/node.h"'
  put server/main.cc '#include "agent/kernel/a.h"'
  put server/kernel_node.cc '#include "agent/kernel/a.h"'
  put client/a.cc '#include "agent/core/status_macros.h"'
  put tests/unit/a_test.cc '#include "server/a.h"' '#include "client/a.h"'
  green 'a tree in order'
  put agent/kernel/a.h '#include "fairsched/v1/policy.pb.h"'
  red 'the API in the agent'
  put agent/core/a.h '#include <mutex>'
  red 'a mutex in core'
  put agent/core/a.h '#  include <sys/stat.h>'
  red 'system calls in core'
  put agent/core/a.h '#include "absl/time/clock.h"'
  red 'a clock in core'
  put agent/core/a.h '#include "agent/runtime/node.h"'
  red 'runtime in core'
  put agent/runtime/a.h '#include "agent/kernel/a.h"'
  red 'kernel in runtime'
  put agent/kernel/a.h '#include "server/a.h"'
  red 'server in kernel'
  put server/a.cc '#include "agent/kernel/a.h"'
  red 'kernel in a service'
  put client/a.cc '#include "agent/core/engine.h"'
  red 'the engine in the client'
  put server/a.cc '#include "tests/support/a.h"'
  red 'tests in the server'
}

lint_main "$@"
