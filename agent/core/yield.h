// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_YIELD_H_
#define FAIRSCHED_AGENT_CORE_YIELD_H_

#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "agent/core/decision.h"
#include "agent/core/ledger.h"
#include "agent/core/tick.h"

namespace fairsched::core {

// Load balancers err: a thread alone on a CPU keeps it for up to half a second,
// whatever its weight. So a user who is busy all the time, and ahead of those
// who wait, yields: it goes behind them (cpu.idle) until it is even.
// The furthest ahead first, as many as the others surely have threads for on
// their CPUs have theirs stopped by a ceiling, too: only then does the kernel
// look for some.
//
// Unlike demotion it needs no empty balance, is charged, and ends within ticks.

// Once a tick: who yields from now on, and State::contenders, with whom Trim()
// goes on until the next. Sets Ledger::{yielding,stopped}. To be called when
// the tick is charged.
void DecideYields(const Policy& policy, const Tick& tick, State& state);

// The counters of some cgroups.
struct UseSample {
  absl::Duration at;  // monotonic: when it was taken
  struct Cgroup {
    uint64_t inode = 0;
    CpuTime usage;
  };
  std::vector<Cgroup> cgroups;  // those that are gone are missing
};

// Between two ticks: who yields, by what was used since the last one. Returns
// what changes; nothing is charged. What is not a contender's is passed over.
std::vector<CgroupDecision> Trim(const UseSample& sample, State& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_YIELD_H_
