// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_PARTS_H_
#define FAIRSCHED_AGENT_CORE_PARTS_H_

#include "absl/time/time.h"
#include "agent/core/tick.h"

namespace fairsched::core {

// Parts follow wants that have moved by so much: every change is a write.
inline constexpr double kPartsDeadBand = 0.2;
// Who wants less counts as this much, so that it can begin to run, or as none.
inline constexpr double kLeastWantCpus = 0.01;

// How long quotas stay as they were shared out: each that is written is handed
// out anew by the kernel, and is paid back: see grants.h.
absl::Duration BetweenSplits(absl::Duration period);

// A user may own several cgroups; what is decided for the user is shared out
// among them by what each one wants: its weight among those of one arena, as
// siblings add theirs up, and its quota among all. Without that a user with n
// cgroups would weigh n times what is its due.
//
// Once a tick, when it is charged. Sets CgroupLedger::{weight_part,quota_part}
// of users with more than one cgroup, and TickUser::arena of all.
void ShareOutParts(Tick& tick, State& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_PARTS_H_
