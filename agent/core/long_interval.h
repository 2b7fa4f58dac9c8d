// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_LONG_INTERVAL_H_
#define FAIRSCHED_AGENT_CORE_LONG_INTERVAL_H_

#include <optional>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "agent/core/decision.h"

namespace fairsched::core {

// The kernel's periods end at a second. Of a longer interval the ticks keep the
// account: its ceiling is what is left of it, and next to nothing when that is
// used up. What a tick came too late for is taken off the next interval.
struct LongInterval {
  absl::Duration began = -absl::InfiniteDuration();
  CpuTime left;
  bool used_up = false;
  friend bool operator==(const LongInterval&, const LongInterval&) = default;
};

// What one is to hold.
struct LongTerms {
  double cpus = 0;          // > 0
  absl::Duration interval;  // > 1 s
  CpuTime burst;            // that may be left for the next one
  double node_cpus = 1;     // that can be used at once
  absl::Duration tick;      // the last one's length
};

// The ceiling from `at` on, in place of `now`, when `use` was used in the tick.
// A write hands out its quota anew, which is why none is of more than is left:
// one when the interval begins, one before it is used up, one when it is.
Ceiling KeepLongInterval(const LongTerms& terms, absl::Duration at, CpuTime use,
                         const std::optional<Ceiling>& now,
                         LongInterval& state);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_LONG_INTERVAL_H_
