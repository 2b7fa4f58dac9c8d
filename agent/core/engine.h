// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_ENGINE_H_
#define FAIRSCHED_AGENT_CORE_ENGINE_H_

#include "agent/core/decision.h"
#include "agent/core/ledger.h"
#include "agent/core/policy.h"
#include "agent/core/sample.h"

namespace fairsched::core {

// Advances `state` by one sample and says what the kernel should hold, and why.
// Pure and deterministic: no clock, no I/O; equal arguments give equal results.
// `sample.at` must be later than that of the sample before: an equal one says
// nothing new, and the decision before still holds.
Decision Step(const Policy& policy, const Sample& sample, State& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_ENGINE_H_
