// SPDX-License-Identifier: Apache-2.0
#include "server/watcher_set.h"

#include "absl/strings/str_cat.h"
#include "server/errors.h"

namespace fairsched::server {
namespace {

using runtime::MutexLock;

absl::Status Stopping() {
  return Error(absl::StatusCode::kUnavailable, ErrorReason::kStopping,
               "the daemon stops");
}

}  // namespace

absl::Status WatcherSet::Join(Watcher& watcher) {
  MutexLock lock(mutex_);
  if (ended_) return Stopping();
  if (watchers_.size() >= kMaxWatchers) {
    return Error(absl::StatusCode::kResourceExhausted,
                 ErrorReason::kTooManyWatchers,
                 absl::StrCat(kMaxWatchers, " watchers already, the most"));
  }
  watchers_.insert(&watcher);
  return absl::OkStatus();
}

void WatcherSet::Leave(Watcher& watcher) {
  MutexLock lock(mutex_);
  watchers_.erase(&watcher);
}

size_t WatcherSet::size() const {
  MutexLock lock(mutex_);
  return watchers_.size();
}

void WatcherSet::EndAll() {
  // Under the lock: a watcher that leaves waits for it before it is deleted.
  MutexLock lock(mutex_);
  ended_ = true;
  for (Watcher* watcher : watchers_) watcher->End(Stopping());
}

}  // namespace fairsched::server
