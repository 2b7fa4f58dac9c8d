// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_LOGIN_RESOLVER_H_
#define FAIRSCHED_SERVER_LOGIN_RESOLVER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "agent/core/policy.h"
#include "agent/runtime/clock.h"
#include "agent/runtime/mutex.h"

namespace fairsched::server {

// Finds out which uids logins have, in a thread of its own, for a name service
// may take its time. What it found holds while it can't be asked.
//
// Thread-safe.
class LoginResolver {
 public:
  // Each login is looked up again so long after it was found, or was not.
  static constexpr absl::Duration kKnownFor = absl::Hours(1);
  static constexpr absl::Duration kUnknownFor = absl::Minutes(1);

  // nullopt: there is no such login. May block.
  using LookUp =
      std::function<absl::StatusOr<std::optional<int64_t>>(const std::string&)>;
  // Called with all that is known when that changes, by the thread; may call
  // SetLogins().
  using OnChange = std::function<void(core::LoginUids)>;

  // `clock` must outlive it; `look_up` is copied.
  LoginResolver(const runtime::Clock& clock, LookUp look_up,
                OnChange on_change);
  // Waits for an OnChange that is under way, but for no look-up: none follows.
  ~LoginResolver();
  LoginResolver(const LoginResolver&) = delete;
  LoginResolver& operator=(const LoginResolver&) = delete;

  // The logins to look up from now on; the rest is forgotten. The thread begins
  // with the first of them.
  void SetLogins(std::set<std::string> logins) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  class Thread;

  const std::shared_ptr<Thread> state_;  // the thread has it, too
  runtime::Mutex mutex_;
  bool started_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_LOGIN_RESOLVER_H_
