// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_TIMER_H_
#define FAIRSCHED_SERVER_TIMER_H_

#include <functional>
#include <memory>

#include "absl/time/time.h"
#include "grpcpp/alarm.h"

namespace fairsched::server {

// Calls back once, after a while, on a thread of gRPC's. Costs no thread.
// Not thread-safe; the callback may start or destroy it.
class Timer {
 public:
  // `callback` is called exactly once: after `delay`, or earlier by Cancel().
  // No call may be pending.
  void Start(absl::Duration delay, std::function<void()> callback);
  // Hastens a pending call; does nothing if there is none.
  void Cancel();

 private:
  std::unique_ptr<grpc::Alarm> alarm_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_TIMER_H_
