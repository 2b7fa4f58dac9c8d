// SPDX-License-Identifier: Apache-2.0
#include "server/watcher.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fairsched/v1/usage_service.pb.h"
#include "server/convert_window.h"
#include "server/errors.h"
#include "server/grpc_status.h"
#include "server/watcher_set.h"

namespace fairsched::server {
namespace {

using runtime::MutexLock;

// Windows of very many users are large; those beyond this go with the next
// message, so that one message stays below what a client takes.
constexpr size_t kMaxWindowBytes = 4 << 20;

uint64_t NewestWindow(const runtime::Snapshot& snapshot) {
  const bool none = snapshot.windows == nullptr || snapshot.windows->empty();
  return none ? 0 : snapshot.windows->back().number;
}

// Appends those after `last`, the oldest first, and returns the last appended.
uint64_t AddWindowsAfter(uint64_t last, const runtime::Snapshot& snapshot,
                         v1::WatchUsageResponse& own) {
  if (snapshot.windows == nullptr) return last;
  size_t bytes = 0;
  for (const core::WindowReport& window : *snapshot.windows) {
    if (window.number <= last) continue;
    v1::WindowReport proto = ToProto(window, snapshot);
    bytes += proto.ByteSizeLong();
    if (bytes > kMaxWindowBytes && !own.windows().empty()) break;
    *own.add_windows() = std::move(proto);
    last = window.number;
  }
  return last;
}

}  // namespace

Watcher::Watcher(Deps deps, const Request& request)
    : deps_(std::move(deps)), request_(request) {
  last_window_ = NewestWindow(*deps_.view().snapshot);
}

void Watcher::Start() { OnTimer(); }

void Watcher::OnTimer() {
  std::optional<grpc::Status> final;
  {
    MutexLock lock(mutex_);
    waiting_ = false;
    if (!ending_) {
      if (writing_) {
        ++missed_;
      } else {
        SendLocked();
      }
      waiting_ = true;
      timer_.Start(request_.interval, [this] { OnTimer(); });
    }
    final = FinalLocked();
  }
  if (final.has_value()) Finish(*final);
}

void Watcher::SendLocked() {
  const UsageView view = deps_.view();
  const std::array<grpc::Slice, 2> parts = {deps_.body.Of(view),
                                            OwnPartLocked(view)};
  message_ = grpc::ByteBuffer(parts.data(), parts.size());
  missed_ = 0;
  writing_ = true;
  StartWrite(&message_);
}

grpc::Slice Watcher::OwnPartLocked(const UsageView& view) {
  v1::WatchUsageResponse own;
  own.set_missed_count(missed_);
  if (request_.windows) {
    last_window_ = AddWindowsAfter(last_window_, *view.snapshot, own);
  }
  return grpc::Slice(own.SerializeAsString());
}

void Watcher::End(absl::Status why) {
  std::optional<grpc::Status> final;
  {
    MutexLock lock(mutex_);
    if (ending_) return;
    ending_ = true;
    why_ = std::move(why);
    timer_.Cancel();
    final = FinalLocked();
  }
  if (final.has_value()) Finish(*final);
}

void Watcher::OnWriteDone(bool ok) {
  std::optional<grpc::Status> final;
  {
    MutexLock lock(mutex_);
    writing_ = false;
    if (!ok && !ending_) {
      ending_ = true;
      why_ = Error(absl::StatusCode::kCancelled, ErrorReason::kCancelled,
                   "the reader is gone");
      timer_.Cancel();
    }
    final = FinalLocked();
  }
  if (final.has_value()) Finish(*final);
}

void Watcher::OnCancel() {
  End(Error(absl::StatusCode::kCancelled, ErrorReason::kCancelled,
            "cancelled by the caller"));
}

void Watcher::OnDone() {
  deps_.set.Leave(*this);
  delete this;
}

std::optional<grpc::Status> Watcher::FinalLocked() {
  if (!ending_ || waiting_ || writing_ || finished_) return std::nullopt;
  finished_ = true;
  return ToGrpc(why_);
}

}  // namespace fairsched::server
