// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_RUNTIME_MUTEX_H_
#define FAIRSCHED_AGENT_RUNTIME_MUTEX_H_

#include <mutex>

#include "absl/base/thread_annotations.h"

namespace fairsched::runtime {

// std::mutex with clang's thread-safety annotations.
//
// Not absl::Mutex: Debian's abseil is built without ThreadSanitizer, which then
// cannot see that lock and reports every use of it as a race.
class ABSL_LOCKABLE Mutex {
 public:
  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Holds a Mutex for a scope.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex)
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace fairsched::runtime

#endif  // FAIRSCHED_AGENT_RUNTIME_MUTEX_H_
