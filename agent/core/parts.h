// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_PARTS_H_
#define FAIRSCHED_AGENT_CORE_PARTS_H_

#include "agent/core/tick.h"

namespace fairsched::core {

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
