// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_EXPLAIN_H_
#define FAIRSCHED_AGENT_CORE_EXPLAIN_H_

#include "agent/core/decision.h"
#include "agent/core/policy.h"
#include "agent/core/tick.h"

namespace fairsched::core {

// What the tick came to for one user: its state, the reason with its figures,
// and what its cgroups should hold.
UserDecision Describe(const Policy& policy, const Tick& tick,
                      const State& state, const TickUser& user);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_EXPLAIN_H_
