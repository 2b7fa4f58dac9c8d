// SPDX-License-Identifier: Apache-2.0
#include "server/release_call.h"

#include "absl/strings/str_cat.h"
#include "server/errors.h"
#include "server/grpc_status.h"

namespace fairsched::server {

using runtime::MutexLock;

ReleaseCall::ReleaseCall(Deps deps, ReleaseTiming timing, int64_t cgroups,
                         v1::ReleaseAllResponse* response)
    : deps_(deps),
      timing_(timing),
      cgroups_(cgroups),
      response_(response),
      polls_left_(timing.timeout / timing.poll) {}

void ReleaseCall::Start() {
  MutexLock lock(mutex_);
  timer_.Start(timing_.poll, [this] { OnTimer(); });
}

void ReleaseCall::OnCancel() {
  // The timer alone finishes the call: it must not come back to a call that
  // is over.
  MutexLock lock(mutex_);
  cancelled_ = true;
  timer_.Cancel();
}

void ReleaseCall::OnTimer() {
  std::optional<grpc::Status> outcome;
  {
    MutexLock lock(mutex_);
    outcome = OutcomeLocked();
    if (!outcome.has_value()) {
      timer_.Start(timing_.poll, [this] { OnTimer(); });
      return;
    }
  }
  Finish(*outcome);
}

std::optional<grpc::Status> ReleaseCall::OutcomeLocked() {
  if (cancelled_) {
    return ToGrpc(Error(absl::StatusCode::kCancelled, ErrorReason::kCancelled,
                        "cancelled by the caller; the release goes on"));
  }
  if (Released()) {
    response_->set_released_cgroup_count(cgroups_);
    return grpc::Status::OK;
  }
  if (--polls_left_ > 0) return std::nullopt;
  return ToGrpc(Error(absl::StatusCode::kDeadlineExceeded,
                      ErrorReason::kReleaseTimeout,
                      absl::StrCat("not everything was given back in ",
                                   absl::FormatDuration(timing_.timeout), ": ",
                                   deps_.placement.Report()->cgroups,
                                   " cgroups are left; the release goes on")));
}

bool ReleaseCall::Released() const {
  const std::shared_ptr<const runtime::Snapshot> snapshot = deps_.loop.Latest();
  return snapshot->policy->settings().mode == core::Mode::kObserve &&
         snapshot->enforcement == runtime::Enforcement::kObserving &&
         !deps_.placement.Report()->placing;
}

}  // namespace fairsched::server
