// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_WATCH_BODY_H_
#define FAIRSCHED_SERVER_WATCH_BODY_H_

#include "absl/base/thread_annotations.h"
#include "agent/runtime/mutex.h"
#include "grpcpp/support/slice.h"
#include "server/usage_view.h"

namespace fairsched::server {

// The part of a WatchUsageResponse that all watchers have in common, as bytes
// on the wire: built once for each view, however many ask for it.
//
// A serialised message may be cut in two: what a watcher gets beside this is
// sent behind it, as fields of the same message. Thread-safe.
class WatchBody {
 public:
  // sample_time, node and users; shared, not copied.
  grpc::Slice Of(const UsageView& view) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  runtime::Mutex mutex_;
  UsageView view_ ABSL_GUARDED_BY(mutex_);  // that body_ shows
  grpc::Slice body_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_WATCH_BODY_H_
