// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_WATER_FILL_H_
#define FAIRSCHED_AGENT_CORE_WATER_FILL_H_

#include <cstdint>
#include <span>
#include <vector>

#include "agent/core/cpu_time.h"

namespace fairsched::core {

// One user's claim on a pool of CPU time.
struct Claim {
  int64_t weight = 1;  // 1..2^40; relative
  CpuTime demand;      // >= 0: the most that it can use
  CpuTime had;         // >= 0: before; for FillLeastServed() only
};

// Divides `pool` (>= 0) by weight, giving nobody more than its demand; what a
// satisfied claim leaves goes to the others, by weight again: the weighted
// max-min allocation.
//
// One grant per claim, in their order. Guarantees, in microseconds:
//   1. no grant is above its claim's demand;
//   2. grants sum to min(pool, total demand), exactly;
//   3. no unsatisfied claim has less per weight than another has, but for one
//      microsecond of rounding.
// O(n log n). Equal arguments give equal grants.
std::vector<CpuTime> WaterFill(CpuTime pool, std::span<const Claim> claims);

// The same, but levels what each has in the end, with what it had before: who
// had least per weight comes first. Exact but for rounding. O(n log n).
std::vector<CpuTime> FillLeastServed(CpuTime pool,
                                     std::span<const Claim> claims);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_WATER_FILL_H_
