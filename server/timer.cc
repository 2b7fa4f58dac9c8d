// SPDX-License-Identifier: Apache-2.0
#include "server/timer.h"

#include <utility>

#include "grpc/support/time.h"

namespace fairsched::server {

void Timer::Start(absl::Duration delay, std::function<void()> callback) {
  // An alarm of its own for every call: setting one again from its own callback
  // would destroy the callback while it runs.
  alarm_ = std::make_unique<grpc::Alarm>();
  const gpr_timespec wait =
      gpr_time_from_micros(absl::ToInt64Microseconds(delay), GPR_TIMESPAN);
  alarm_->Set(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), wait),
              [callback = std::move(callback)](bool) { callback(); });
}

void Timer::Cancel() {
  if (alarm_ != nullptr) alarm_->Cancel();
}

}  // namespace fairsched::server
