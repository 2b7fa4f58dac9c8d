// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_NAME_RESOLVER_H_
#define FAIRSCHED_SERVER_NAME_RESOLVER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "agent/core/policy.h"
#include "agent/runtime/clock.h"
#include "agent/runtime/mutex.h"
#include "server/name_service.h"

namespace fairsched::server {

// Finds out which uids logins have, and which uids of the node are in a unix
// group, in a thread of its own, for a name service may take its time. What it
// found holds while it can't be asked. No group is asked for its members, and
// nothing is enumerated: of a uid that is on the node it asks for the groups.
//
// Thread-safe.
class NameResolver {
 public:
  // A login or a group is looked up again so long after it was found, the
  // groups of a uid after kMemberFor, and what was not found after kUnknownFor.
  static constexpr absl::Duration kKnownFor = absl::Hours(1);
  static constexpr absl::Duration kMemberFor = absl::Minutes(10);
  static constexpr absl::Duration kUnknownFor = absl::Minutes(1);

  // Called with all that is known when that changes, by the thread; may call
  // SetNames() and SetUids().
  using OnChange = std::function<void(core::KnownNames)>;

  // `clock` must outlive it; `service` is copied.
  NameResolver(const runtime::Clock& clock, NameService service,
               OnChange on_change);
  // Waits for an OnChange that is under way, but for no look-up: none follows.
  ~NameResolver();
  NameResolver(const NameResolver&) = delete;
  NameResolver& operator=(const NameResolver&) = delete;

  // What to look up from now on; other names are forgotten. The thread begins
  // with the first of them.
  void SetNames(std::set<std::string> logins, std::set<std::string> unix_groups)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Of whom to find out whether they are in a unix group. Others are remembered
  // until they would be looked up again.
  void SetUids(std::set<int64_t> uids) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  class Thread;

  const std::shared_ptr<Thread> state_;  // the thread has it, too
  runtime::Mutex mutex_;
  bool started_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_NAME_RESOLVER_H_
