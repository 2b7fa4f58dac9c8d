// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/clock.h"

#include <ctime>

#include "absl/time/clock.h"

namespace fairsched::runtime {

absl::Duration SystemClock::Now() const {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return absl::DurationFromTimespec(now);
}

absl::Time SystemClock::WallTime() const { return absl::Now(); }

}  // namespace fairsched::runtime
