// SPDX-License-Identifier: Apache-2.0
#include "server/controller_requests.h"

#include <algorithm>
#include <utility>

namespace fairsched::server {

ControllerRequests::ControllerRequests(const runtime::Clock& clock, Ask ask)
    : clock_(clock), ask_(std::move(ask)) {}

std::optional<absl::Status> ControllerRequests::Update(
    int64_t without_controller) {
  if (without_controller == 0 || !ask_) {
    wait_ = absl::ZeroDuration();
    return std::nullopt;
  }
  const absl::Duration now = clock_.Now();
  if (wait_ == absl::ZeroDuration()) {
    wait_ = kPatience;
    next_ = now + wait_;
  }
  if (now < next_) return std::nullopt;
  wait_ = std::min(2 * wait_, kLongestWait);
  next_ = now + wait_;
  return ask_();
}

}  // namespace fairsched::server
