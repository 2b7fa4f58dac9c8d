// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_WEIGHTS_H_
#define FAIRSCHED_AGENT_CORE_WEIGHTS_H_

#include "agent/core/policy.h"
#include "agent/core/tick.h"

namespace fairsched::core {

// What the kernel should hold for each user, from its account. Sets
// Ledger::{weight,demoted,lifted}.
//
// Weights, and who is demoted for whom, are matters of one arena: in its own
// one a user is compared with the others that wait.
//
// Weight follows the lag: lag = (balance/entitlement - mean over the waiting) x
// window, in seconds; weight = base x 2^(4 x lag), within [1/16, 128] x base.
// Bases follow the entitlements, the largest possible weight is 10000. Asked of
// the kernel only beyond a dead band, and only while somebody waits.
//
// The tokens of a limit only lower it: 2^(20 x (tokens/limit - 0.1 s)); those
// of a user that is bound by its limit alone make it.
//
// A spent user is demoted only while somebody starves, and only if it is behind
// by so much that its weight is down already. One that then got less than its
// floor over the last second is lifted for one tick. Who has spent its limit is
// demoted while anybody else wants CPU.
//
// Pacing::kNone: bases as they are, and every spent user is demoted.
void DecideWeights(const Policy& policy, Tick& tick, const State& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_WEIGHTS_H_
