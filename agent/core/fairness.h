// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_FAIRNESS_H_
#define FAIRSCHED_AGENT_CORE_FAIRNESS_H_

#include <optional>

#include "agent/core/tick.h"

// How fair it was, over spans of a window, at least a second, whatever the
// restarts of windows.
//
// The fair share of a user adds up tick by tick: the tick's capacity less what
// is not managed, divided by shares down the tree among those that wanted some
// of it, up to demand and limit; who had least in the span's contended ticks
// comes first. x = min(1, got / min(fair share, demand)): surplus is not
// unfair, and who got what it wanted has 1.
namespace fairsched::core {

// Adds the tick to the span. Needs the tick's wants; before the charge.
void CountFairness(Tick& tick, State& state);

// How the span went, if this tick ends it. Who has had a fair share in it is in
// the report; without contention among two users or more it has no figures.
std::optional<FairnessReport> EndSpanIfOver(Tick& tick, State& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_FAIRNESS_H_
