// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_GRANTS_H_
#define FAIRSCHED_AGENT_CORE_GRANTS_H_

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"

namespace fairsched::core {

// Each write of cpu.max hands out a fresh quota. Where one ceiling is shared
// out anew among several cgroups again and again, that would be CPU time beyond
// it every time: it is counted, and paid back by a lower ceiling.
struct GrantDebt {
  CpuTime owed;         // had beyond the ceiling
  bool paying = false;  // until nothing is owed
  friend bool operator==(const GrantDebt&, const GrantDebt&) = default;
};

// Counts what was used in `elapsed` under ceilings that are `cpus` in all.
void CountGrants(CpuTime use, double cpus, absl::Duration elapsed,
                 GrantDebt& debt);

// What of the ceiling is to be given: less than all of it while it pays.
double PartAfterDebt(const GrantDebt& debt);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_GRANTS_H_
