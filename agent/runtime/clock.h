// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_RUNTIME_CLOCK_H_
#define FAIRSCHED_AGENT_RUNTIME_CLOCK_H_

#include "absl/time/time.h"

namespace fairsched::runtime {

// The only source of time in the agent: nothing else under agent/ may call a
// system clock (tests/lint checks it). Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // Monotonic time since an arbitrary start; stands still while suspended.
  virtual absl::Duration Now() const = 0;
  // The time of day, for display only.
  virtual absl::Time WallTime() const = 0;
};

// CLOCK_MONOTONIC and CLOCK_REALTIME.
class SystemClock final : public Clock {
 public:
  absl::Duration Now() const override;
  absl::Time WallTime() const override;
};

}  // namespace fairsched::runtime

#endif  // FAIRSCHED_AGENT_RUNTIME_CLOCK_H_
