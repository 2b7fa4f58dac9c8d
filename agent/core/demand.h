// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_DEMAND_H_
#define FAIRSCHED_AGENT_CORE_DEMAND_H_

#include <cstdint>
#include <optional>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"

namespace fairsched::core {

// Of `cpus` what so many threads can use at once; all, if it is not known how
// many there are.
double UsableCpus(std::optional<int64_t> threads, double cpus);

// What is known of one cgroup's wish for CPU in a tick.
struct PressureReading {
  CpuTime use;
  // The part of the time in which at least one of its tasks was runnable and
  // not running (cpu.pressure, "some"). Unset: not known on this node.
  std::optional<double> some;
  CpuTime throttled;  // held by its own ceiling, added up over CPUs
  std::optional<int64_t> threads;  // that could run at once
  double cpus = 1;  // that it may use: a ceiling's, or the node's
  double node_cpus = 1;
  absl::Duration elapsed;  // of the tick
};

// What it could have used: a thread that runs for r and waits for w of the time
// would have run for r / (1 - w). "Some" is the chance that any of n threads
// waits, so each waits for 1 - (1 - some)^(1/n), n being as many as
// use / (1 - some) would keep busy. At most one CPU per thread and all of the
// node's, never below `use`. Use plus wait would be wrong: it counts the delay
// of a wake-up as demand. What its own ceiling held it is no wait for others,
// and nothing beyond the ceiling is demand. Unset if `some` is: unknown demand
// is not zero.
std::optional<CpuTime> DemandFromPressure(const PressureReading& reading);

// Whether it ran or waited all the time, as far as can be told. "Some" is a
// mean over CPUs (kernel/sched/psi.c): a thread alone on one of two CPUs halves
// it, however many wait on the other.
bool IsBusy(const PressureReading& reading);

// Whether it surely had a thread that waited, or all of its threads wanted all
// they could use, all the time.
bool IsBacklogged(const PressureReading& reading, CpuTime demand);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_DEMAND_H_
