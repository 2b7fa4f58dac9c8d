// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_GROUPS_H_
#define FAIRSCHED_AGENT_CORE_GROUPS_H_

#include "absl/functional/function_ref.h"
#include "agent/core/tick.h"

namespace fairsched::core {

// Gives the tick the policy's groups, with their ledgers; those of groups that
// are gone are forgotten.
void BeginGroups(const Policy& policy, Tick& tick, State& state);

// Calls `visit` with each group that `user` is in, from the nearest to the
// root.
void VisitGroupsOf(Tick& tick, const TickUser& user,
                   absl::FunctionRef<void(TickGroup&)> visit);

// Books the tick's use and surplus on the groups' ledgers.
void ChargeGroups(Tick& tick);

// Says who owes (TickUser::owes): a spent user some of whose competitors
// starve. It competes with its siblings; and, if its group as a whole is spent,
// too, with its group's siblings, and so on. What it took from its siblings is
// no reason to give way to others.
void JudgeOwes(Tick& tick);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_GROUPS_H_
