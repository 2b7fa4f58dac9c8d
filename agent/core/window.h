// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_WINDOW_H_
#define FAIRSCHED_AGENT_CORE_WINDOW_H_

#include <optional>

#include "agent/core/policy.h"
#include "agent/core/tick.h"

namespace fairsched::core {

// The mean of balance/entitlement over the users that `counts` names, weighted
// by entitlement; nullopt if there are none.
std::optional<double> MeanRatio(const Tick& tick,
                                bool (*counts)(const TickUser&));

// Whether its balance is compared with others': it waits, and is not bound by
// its limit (then the balance follows the others').
bool Competes(const TickUser& user);

// How far ahead a user is of `mean`, a MeanRatio(), in seconds of its own
// entitlement; negative: it has had more than the others.
double LagSeconds(CpuTime balance, CpuTime entitlement, double mean,
                  absl::Duration window);

// Gives those that just became active what the others have left, in ratio to
// their entitlement and at most what they had: a stream of fresh users can't
// starve the old, and a debtor can't sleep its debt away. Users bound by their
// limit don't count.
void AdmitWakers(Tick& tick);

// Charges the tick's use, but for the surplus: what a user used beyond its due
// while no other one waited, and what it used demoted while nobody starved.
// (If all of it were free while nobody waits, a user that just gets its whole
// share would pay for it, and its hungry neighbour would not.) Pacing::kNone
// charges everything. The balance of a user that is bound by its limit follows
// what the others have left, in ratio: its tokens are those of the limit.
void Charge(const Policy& policy, Tick& tick, const State& state);

// Who has no tokens left, and who of the others starves.
void JudgeSpent(Tick& tick);

// A gap between two samples that is no late tick but a jump, as of a paused
// virtual machine: it begins a new window and charges nobody.
bool IsJump(const Tick& tick, const State& state);

// Begins a new window if this one is over: its length has passed; or some who
// want CPU are spent and nobody starves; or time jumped. Returns how the old
// one went. Needs JudgeSpent() before, and leaves its answers true.
std::optional<WindowReport> RenewIfOver(const Policy& policy, Tick& tick,
                                        State& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_WINDOW_H_
