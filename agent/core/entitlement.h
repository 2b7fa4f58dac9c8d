// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_ENTITLEMENT_H_
#define FAIRSCHED_AGENT_CORE_ENTITLEMENT_H_

#include "agent/core/tick.h"

namespace fairsched::core {

// Marks who wanted CPU in the last second as active, and who just became so
// (TickUser::woke). True if the set of the active, or their shares, changed.
bool UpdateActive(Tick& tick, State& state);

// What each user is due in a window of `state.window`: down the tree of groups
// by shares among the active, of the capacity less the forecast of what is not
// managed. One that sleeps is given what it would have if it woke alone: it
// dilutes nobody. A limit bounds it, and a user whose entitlement is its limit
// is bound by it. Never below 1 % of the plain share, so that nothing divides
// by zero. Each balance keeps its ratio to the entitlement.
void Entitle(Tick& tick, const State& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_ENTITLEMENT_H_
