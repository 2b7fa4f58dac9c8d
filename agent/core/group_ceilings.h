// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_GROUP_CEILINGS_H_
#define FAIRSCHED_AGENT_CORE_GROUP_CEILINGS_H_

#include "agent/core/tick.h"

namespace fairsched::core {

// Groups have no cgroup of their own, so the kernel holds a group's limit by
// ceilings of its members that add up to it: by shares, down the tree, up to
// what each wants; what that leaves is all the members' again, by shares.
//
// Who sleeps has a ceiling beside that, a quarter of its share of the limit at
// most, to wake up with. What that, and the fresh quota of each write, is
// beyond the limit is paid back.
//
// Sets Ledger::group_cpus, infinite for who is in no such group. Anew where it
// is a fifth off for one of the members, for all at once (or the sum would be
// wrong), and at most twice a second and once in five periods.
void ShareOutGroupLimits(const Policy& policy, Tick& tick, State& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_GROUP_CEILINGS_H_
