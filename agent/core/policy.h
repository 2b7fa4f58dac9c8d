// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_POLICY_H_
#define FAIRSCHED_AGENT_CORE_POLICY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/time/time.h"

namespace fairsched::core {

// The id of a user, e.g. "alice" or "uid-1001"; its resource name without the
// "users/". See IsValidId() in validate.h.
using UserId = std::string;

// Observe: decide and show. Enforce: also write to the kernel.
enum class Mode { kObserve, kEnforce };

// How a window's tokens are spent.
enum class Pacing {
  kFeedback,  // weights follow the lag; spent users are demoted only while
              // somebody starves
  kNone,      // the 2007 rule, to compare with: burn the tokens, then off until
              // renewal or restart
};

// The uids first..last, both included.
struct UidRange {
  int64_t first = 0;
  int64_t last = 0;
  friend bool operator==(const UidRange&, const UidRange&) = default;
};

// What holds for the node as a whole. Ranges are in validate.h.
struct Settings {
  Mode mode = Mode::kObserve;
  Pacing pacing = Pacing::kFeedback;
  absl::Duration window = absl::Seconds(2);
  absl::Duration tick = absl::Milliseconds(100);
  int32_t default_shares = 100;  // of users that no policy names
  int32_t floor_millicpus = 50;  // what every user can get at any time
  std::vector<UidRange> uid_ranges = {{1000, 60000}};  // managed unless named
  std::vector<int64_t> exempt_uids = {0};  // never throttled, but accounted
  friend bool operator==(const Settings&, const Settings&) = default;
};

// One user as the operator defined it, or as the defaults make it.
struct UserPolicy {
  UserId id;
  std::vector<int64_t> uids;  // whose processes are this user's
  int32_t shares = 100;       // relative to its siblings
  bool exempt = false;
  friend bool operator==(const UserPolicy&, const UserPolicy&) = default;
};

// What the engine asks of a user's policy.
struct Terms {
  int32_t shares = 100;
  bool exempt = false;
};

// Everything that operators decide, as one immutable value. Two uids never
// belong to two users: whoever builds one has run CheckPolicy() (validate.h).
class Policy {
 public:
  Policy() = default;
  Policy(Settings settings, std::vector<UserPolicy> users);

  const Settings& settings() const { return settings_; }
  // The users that are defined, by id.
  const std::map<UserId, UserPolicy>& users() const { return users_; }

  // Whose a process of `uid` is: a defined user; else the implicit user
  // "uid-N", if `uid` is in the managed ranges or exempt; else nobody's.
  std::optional<UserId> UserOfUid(int64_t uid) const;

  // What holds for `id`: as defined, or the defaults of an implicit user.
  UserPolicy Of(const UserId& id) const;
  // The part of it that every tick asks for.
  Terms TermsOf(const UserId& id) const;

 private:
  Settings settings_;
  std::map<UserId, UserPolicy> users_;
  absl::flat_hash_map<int64_t, UserId> user_of_uid_;
  absl::flat_hash_map<UserId, Terms> terms_;  // but those of the defaults
};

// "uid-1001", the id reserved for the implicit user of one uid.
UserId ImplicitId(int64_t uid);
// The inverse; nullopt for any other id.
std::optional<int64_t> UidOfImplicitId(const UserId& id);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_POLICY_H_
