#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The agent asks one place for the time, so that tests can tell it; tests never
# wait for time to pass.

# shellcheck source-path=SCRIPTDIR source=../support/lint.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/lint.sh"

readonly asking='clock_gettime|gettimeofday|absl::Now\(|_clock::now\(|\btime\((NULL|nullptr|0)\)'
readonly waiting='absl::SleepFor|sleep_for|sleep_until|\b(u|nano)?sleep\('

check() {
  local root=$1 failed=0 agent tests
  mapfile -t agent < <(files "$root" -path './agent/*' \
    \( -name '*.h' -o -name '*.cc' \) ! -path ./agent/runtime/clock.cc)
  mapfile -t tests < <(files "$root" -path './tests/unit/*' \
    \( -name '*.h' -o -name '*.cc' \))
  refuse "$root" "the time comes from runtime::Clock" "$asking" \
    "${agent[@]}" || failed=1
  refuse "$root" "unit tests don't wait" "$waiting" "${tests[@]}" || failed=1
  return "$failed"
}

self_test() {
  put agent/runtime/clock.cc 'clock_gettime(CLOCK_MONOTONIC, &now);'
  put server/a.cc 'absl::Now();'
  put agent/core/a.cc 'cpu_time(0);'
  green 'a tree in order'
  put agent/kernel/a.cc 'clock_gettime(CLOCK_REALTIME, &now);'
  red 'a clock in kernel'
  put agent/core/a.h 'std::chrono::steady_clock::now()'
  red 'a clock in core'
  put agent/runtime/a.cc 'return absl::Now();'
  red 'the time of day in runtime'
  put tests/unit/core/a_test.cc 'absl::SleepFor(absl::Seconds(1));'
  red 'a test that sleeps'
}

lint_main "$@"
