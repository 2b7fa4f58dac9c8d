// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_RELEASE_CALL_H_
#define FAIRSCHED_SERVER_RELEASE_CALL_H_

#include <cstdint>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "agent/runtime/control_loop.h"
#include "agent/runtime/mutex.h"
#include "agent/runtime/node.h"
#include "fairsched/v1/node_service.pb.h"
#include "grpcpp/support/server_callback.h"
#include "server/timer.h"

namespace fairsched::server {

// How long a release may take, and how often it is looked at.
struct ReleaseTiming {
  absl::Duration poll = absl::Milliseconds(50);
  absl::Duration timeout = absl::Seconds(5);
};

// One call of ReleaseAll, after the mode was set: waits, without a thread,
// until loop and placement have given everything back. Deletes itself when the
// call is over. Thread-safe.
class ReleaseCall final : public grpc::ServerUnaryReactor {
 public:
  struct Deps {
    const runtime::ControlLoop& loop;
    const runtime::Placement& placement;
  };
  // `cgroups` is how many there are to give back.
  ReleaseCall(Deps deps, ReleaseTiming timing, int64_t cgroups,
              v1::ReleaseAllResponse* response);

  // Call once.
  void Start() ABSL_LOCKS_EXCLUDED(mutex_);

  void OnCancel() override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnDone() override { delete this; }

 private:
  void OnTimer() ABSL_LOCKS_EXCLUDED(mutex_);
  // How it went; nullopt: not yet.
  std::optional<grpc::Status> OutcomeLocked()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Released() const;

  const Deps deps_;
  const ReleaseTiming timing_;
  const int64_t cgroups_;
  v1::ReleaseAllResponse* const response_;

  runtime::Mutex mutex_;
  Timer timer_ ABSL_GUARDED_BY(mutex_);
  int64_t polls_left_ ABSL_GUARDED_BY(mutex_);
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_RELEASE_CALL_H_
