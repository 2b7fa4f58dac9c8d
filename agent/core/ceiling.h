// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_CEILING_H_
#define FAIRSCHED_AGENT_CORE_CEILING_H_

#include <cstdint>

#include "absl/time/time.h"
#include "agent/core/policy.h"
#include "agent/core/tick.h"

namespace fairsched::core {

// What the kernel takes: sched-bwc.rst.
inline constexpr absl::Duration kLeastPeriod = absl::Milliseconds(1);
inline constexpr absl::Duration kMostPeriod = absl::Seconds(1);
inline constexpr CpuTime kLeastQuota = CpuTime::Msec(1);

// The period of a ceiling: `interval`, or, if that is zero, the staircase
// scheduler's 8 ms x (1 + floor(log2(CPUs))). Scaled by nice: below -6 by
// nice^2 / 40, above 0 by a half. Within 1 ms..5 s.
absl::Duration Interval(absl::Duration interval, int32_t nice, double cpus);

// A ceiling of so many CPUs (> 0) as the kernel takes it: a period of 1 ms..1
// s, lengthened where the quota would be less than the kernel's least, 1 ms; a
// burst of at most the quota.
Ceiling MakeCeiling(double cpus, absl::Duration interval, CpuTime burst);

// Sets Ledger::ceiling: limit and steal, none where the steal is unlimited (but
// for a limit that is small beside the node). Each write of it hands out a
// fresh quota and walks all cgroups under one lock (kernel/sched/core.c,
// tg_set_cfs_bandwidth), so it changes
// - only with the policy, or, for a limit that is the entitlement, beyond 5 %;
// - at most once in 10 periods for a user, and then is booked as a grant;
// - for at most a tenth of the users in a tick, each in turn.
// Intervals beyond a second are kept by the ticks: see long_interval.h.
void DecideCeilings(const Policy& policy, Tick& tick, const State& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_CEILING_H_
