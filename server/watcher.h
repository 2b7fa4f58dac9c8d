// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_WATCHER_H_
#define FAIRSCHED_SERVER_WATCHER_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "agent/runtime/mutex.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/timer.h"
#include "server/usage_view.h"
#include "server/watch_body.h"

namespace fairsched::server {

class WatcherSet;

// One client of WatchUsage. It sends at once, then each interval; a message
// that is due while the one before is still on its way is dropped and counted.
// Deletes itself when the call is over. Thread-safe.
class Watcher final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  struct Request {
    absl::Duration interval;
    bool windows = false;
  };
  struct Deps {
    std::function<UsageView()> view;
    WatchBody& body;
    WatcherSet& set;  // that it leaves when it is over
  };
  Watcher(Deps deps, const Request& request);

  // Sends the first message. Call once.
  void Start() ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends the call with `why`, soon.
  void End(absl::Status why) ABSL_LOCKS_EXCLUDED(mutex_);

  void OnWriteDone(bool ok) override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnCancel() override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnDone() override;

 private:
  // Sends, or drops, one message, and starts the timer for the next.
  void OnTimer() ABSL_LOCKS_EXCLUDED(mutex_);
  void SendLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // This watcher's part of the message; see WatchBody.
  grpc::Slice OwnPartLocked(const UsageView& view)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // What the caller, after unlocking, has to Finish() with. Set once: when all
  // is over and neither the timer nor a write will call back any more. From
  // Finish() on this may be deleted at any time.
  std::optional<grpc::Status> FinalLocked()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Deps deps_;
  const Request request_;

  runtime::Mutex mutex_;
  Timer timer_ ABSL_GUARDED_BY(mutex_);
  bool waiting_ ABSL_GUARDED_BY(mutex_) = false;  // for timer_
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status why_ ABSL_GUARDED_BY(mutex_);
  grpc::ByteBuffer message_;  // being written; nobody else touches it
  int64_t missed_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t last_window_ ABSL_GUARDED_BY(mutex_) = 0;  // number, sent or before
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_WATCHER_H_
