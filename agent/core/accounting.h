// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_ACCOUNTING_H_
#define FAIRSCHED_AGENT_CORE_ACCOUNTING_H_

#include "agent/core/ledger.h"
#include "agent/core/policy.h"
#include "agent/core/sample.h"
#include "agent/core/tick.h"

namespace fairsched::core {

// What was used between the last sample and this one, by cgroup identity:
// - a cgroup seen before: the difference; a counter that went back is 0, and is
//   counted as a reset;
// - one seen for the first time: its counter, if that can have been used since
//   the last sample; else it is older than our knowledge of it, and 0;
// - more than `elapsed` x CPUs is clamped, and counted as a clamp.
// Users that are new get a ledger. `state` then holds this sample's counters.
// `sample.at` must be later than `state.at`. The first sample of all says only
// where the counters stand: nothing was used, and elapsed is 0.
Tick Account(const Policy& policy, const Sample& sample, State& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_ACCOUNTING_H_
