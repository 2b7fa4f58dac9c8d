// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/dispute.h"

namespace fairsched::kernel {

void Dispute::Forced(absl::Duration at) {
  forced_.push_back(at);
  if (forced_.size() > kMaxForced + 1) forced_.pop_front();
}

bool Dispute::Recent(absl::Duration at) const {
  return !forced_.empty() && at - forced_.back() < kMemory;
}

bool Dispute::Lost(absl::Duration at) const {
  return forced_.size() > kMaxForced && at - forced_.front() < kMemory;
}

bool Dispute::MayForce(absl::Duration at) const {
  return !Lost(at) || at - forced_.back() >= kSlowPace;
}

}  // namespace fairsched::kernel
