// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_DEMAND_H_
#define FAIRSCHED_AGENT_CORE_DEMAND_H_

#include <cstdint>
#include <optional>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"

namespace fairsched::core {

// What is known of one cgroup's wish for CPU in a tick.
struct PressureReading {
  CpuTime use;
  // The part of the time in which at least one of its tasks was runnable and
  // not running (cpu.pressure, "some"). Unset: not known on this node.
  std::optional<double> some;
  std::optional<int64_t> threads;  // that could run at once
  double cpus = 1;                 // of the node
  absl::Duration elapsed;          // of the tick
};

// What it could have used: a task that runs for r and waits for w of the time
// would have run for r / (1 - w), so use / (1 - some), at most one CPU per
// thread and all of the node's. Use plus wait would be wrong: it counts the
// delay of a wake-up as demand. Never below `use`. Unset if `some` is: unknown
// demand is not zero.
std::optional<CpuTime> DemandFromPressure(const PressureReading& reading);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_DEMAND_H_
