// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_AUTO_WINDOW_H_
#define FAIRSCHED_AGENT_CORE_AUTO_WINDOW_H_

#include "agent/core/policy.h"
#include "agent/core/tick.h"

namespace fairsched::core {

// The length of the next window: as the settings say; or, if that is auto, the
// shortest in which each user that wanted CPU in the last 10 s is due a
// quantum, and of at least ten ticks if that is allowed. It grows at once,
// shrinks by half in 10 s at most, and ignores changes of less than a quarter.
// Remembers in `state` when it shrank.
absl::Duration NextWindow(const Policy& policy, const Tick& tick, State& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_AUTO_WINDOW_H_
