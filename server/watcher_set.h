// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_WATCHER_SET_H_
#define FAIRSCHED_SERVER_WATCHER_SET_H_

#include <cstddef>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "agent/runtime/mutex.h"
#include "server/watcher.h"

namespace fairsched::server {

// The watchers that there are, so that they are bounded and can be ended.
// Must outlive them. Thread-safe.
class WatcherSet {
 public:
  static constexpr size_t kMaxWatchers = 64;

  // ResourceExhausted beyond kMaxWatchers; Unavailable after EndAll(). On an
  // error `watcher` is not in it.
  absl::Status Join(Watcher& watcher) ABSL_LOCKS_EXCLUDED(mutex_);
  void Leave(Watcher& watcher) ABSL_LOCKS_EXCLUDED(mutex_);
  size_t size() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends all, with Unavailable, soon; none can join any more.
  void EndAll() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable runtime::Mutex mutex_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  absl::flat_hash_set<Watcher*> watchers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_WATCHER_SET_H_
