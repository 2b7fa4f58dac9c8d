// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_POLICY_H_
#define FAIRSCHED_AGENT_CORE_POLICY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "agent/core/override.h"
#include "agent/core/selector.h"

namespace fairsched::core {

// The id of a user, e.g. "alice" or "uid-1001"; its resource name without the
// "users/". See IsValidId() in validate.h.
using UserId = std::string;
// The same of a group. "" is the root, which holds all.
using GroupId = std::string;

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

// What a limited user may take beyond its limit, of what would idle else.
struct Steal {
  bool unlimited = false;
  CpuTime per_second;  // unless unlimited
  friend bool operator==(const Steal&, const Steal&) = default;
};

// A ceiling on a user.
struct Limit {
  enum class Kind {
    kNone,         // nothing but its shares
    kCpus,         // so many CPUs
    kEntitlement,  // its own share is its ceiling
  };
  Kind kind = Kind::kNone;
  int64_t millicpus = 0;       // with kCpus; 1000: one CPU
  CpuTime burst;               // unused limit that may be saved for later
  std::optional<Steal> steal;  // unset: the settings' default
  friend bool operator==(const Limit&, const Limit&) = default;
};

// How long a window is, if that is left to the engine.
struct AutoWindow {
  absl::Duration min = absl::Seconds(1);
  absl::Duration max = absl::Seconds(10);
  CpuTime quantum = CpuTime::Msec(500);  // that each is due in it, at least
  friend bool operator==(const AutoWindow&, const AutoWindow&) = default;
};

// What holds for the node as a whole. Ranges are in validate.h.
struct Settings {
  Mode mode = Mode::kObserve;
  Pacing pacing = Pacing::kFeedback;
  absl::Duration window = absl::ZeroDuration();  // zero: auto
  AutoWindow auto_window;
  absl::Duration tick = absl::Milliseconds(100);
  int32_t default_shares = 100;  // of users that no policy names
  int32_t floor_millicpus = 50;  // what every user can get at any time
  Limit default_limit;           // of users that do not say theirs
  Steal default_steal;           // of limits that do not say theirs
  // The period of a ceiling in the kernel; zero: by the number of CPUs.
  absl::Duration interval = absl::Milliseconds(100);
  std::vector<UidRange> uid_ranges = {{1000, 60000}};  // managed unless named
  std::vector<int64_t> exempt_uids = {0};  // never throttled, but accounted
  friend bool operator==(const Settings&, const Settings&) = default;
};

// One user as the operator defined it, or as the defaults make it.
struct UserPolicy {
  UserId id;
  std::vector<Selector> selectors;  // what is this user's
  int32_t shares = 100;             // relative to its siblings
  bool exempt = false;
  std::optional<Limit> limit;  // unset: the settings' default
  int32_t nice = 0;            // -20..19: scales its interval
  GroupId group;               // that it is a member of
  bool expand = false;         // each match is a user of its own; see expand.h
  friend bool operator==(const UserPolicy&, const UserPolicy&) = default;
};

// What names of the name service mean, as far as it is known.
struct KnownNames {
  std::map<std::string, int64_t> logins;  // their uids
  // The uids of their members, of those that are on the node.
  std::map<std::string, std::set<int64_t>> unix_groups;
  friend bool operator==(const KnownNames&, const KnownNames&) = default;
};

// What the selectors of that kind of `users` name, each once.
std::set<std::string> NamesIn(const std::map<UserId, UserPolicy>& users,
                              Selector::Kind kind);

// What the text of a selector belongs to.
struct SelectedBy {
  std::string text;
  UserId user;
};

// A pool of users and groups with a share of its own.
struct GroupPolicy {
  GroupId id;
  GroupId parent;
  int32_t shares = 100;  // relative to its siblings, groups and users
  std::optional<int64_t> limit_millicpus;  // of its members' sum
  friend bool operator==(const GroupPolicy&, const GroupPolicy&) = default;
};

// What the engine asks of a group's policy.
struct GroupTerms {
  GroupId id;
  size_t parent = 0;  // index; the root is its own
  int32_t shares = 100;
  double limit_cpus = 0;  // 0: none
  double steal_cpus = 0;  // beyond the limit; infinite: unlimited
  friend bool operator==(const GroupTerms&, const GroupTerms&) = default;
};

// What the engine asks of a user's policy, with defaults put in.
struct Terms {
  int32_t shares = 100;
  bool exempt = false;
  Limit::Kind limit = Limit::Kind::kNone;
  double limit_cpus = 0;  // with kCpus, else 0
  double steal_cpus = 0;  // beyond the limit; infinite: unlimited
  CpuTime burst;
  int32_t nice = 0;
  size_t group = 0;  // index into Policy::group_terms()
};

// Everything that operators decide, as one immutable value. No selector is in
// two users: whoever builds one has run CheckAgainst() (validate.h). The owner
// of a uid is who selects it; else its login; else the first by id of those
// that select a unix group of it. A unix group takes no uid that would not be
// managed without it, and none that is exempt: root may be in any.
class Policy {
 public:
  Policy() = default;
  // A group whose parent is not there, or that holds itself, is in the root.
  Policy(Settings settings, std::vector<UserPolicy> users,
         std::vector<GroupPolicy> groups = {}, KnownNames names = {},
         std::map<UserId, Override> overrides = {});

  const Settings& settings() const { return settings_; }
  // The users that are defined, by id.
  const std::map<UserId, UserPolicy>& users() const { return users_; }

  const std::map<GroupId, GroupPolicy>& groups() const { return groups_; }
  // The root, then all groups, each behind its parent.
  const std::vector<GroupTerms>& group_terms() const { return group_terms_; }

  const KnownNames& names() const { return names_; }
  // In order of the users' ids.
  const std::vector<SelectedBy>& unit_selectors() const { return units_; }
  const std::vector<SelectedBy>& cgroup_selectors() const { return cgroups_; }

  // The definition that makes `id` a user, as it is or as a part of one that
  // expands; null: there is none.
  const UserPolicy* DefinitionOf(const UserId& id) const;

  // Whose a process of `uid` is: a defined user, or its part of one; else the
  // implicit user "uid-N", if `uid` is in the managed ranges or exempt; else
  // nobody's.
  std::optional<UserId> UserOfUid(int64_t uid) const;

  // Whether it is UserOfUid()'s by a unix group and nothing firmer.
  bool IsOfUnixGroup(int64_t uid) const { return by_group_.contains(uid); }

  // The uids that are `id`'s, those that are selected as such first.
  std::vector<int64_t> UidsOf(const UserId& id) const;

  // How `id` is defined: by an operator, or by the defaults, if it is implicit.
  UserPolicy Of(const UserId& id) const;
  // What holds for it: the same, with its override, as every tick asks for it.
  const Terms& TermsOf(const UserId& id) const;

 private:
  void PlaceGroups();
  void AddSelectors(const UserPolicy& user);
  void AddUids();
  // Unless it is somebody's.
  bool AddUid(int64_t uid, const UserPolicy& user);
  bool IsExempt(int64_t uid) const;
  bool IsInRanges(int64_t uid) const;
  Terms MakeTerms(const UserPolicy& user) const;

  Settings settings_;
  std::map<UserId, UserPolicy> users_;
  std::map<GroupId, GroupPolicy> groups_;
  std::vector<GroupTerms> group_terms_ = {{}};
  absl::flat_hash_map<GroupId, size_t> group_index_;
  KnownNames names_;
  std::map<UserId, Override> overrides_;
  std::vector<SelectedBy> units_, cgroups_;
  absl::flat_hash_map<int64_t, UserId> user_of_uid_;  // or the whole of it
  absl::flat_hash_set<int64_t> by_group_;             // of these
  absl::flat_hash_map<UserId, std::vector<int64_t>> uids_of_;
  absl::flat_hash_map<UserId, Terms> terms_;  // but those of the defaults
  Terms default_terms_;
};

// "uid-1001", the id reserved for the implicit user of one uid.
UserId ImplicitId(int64_t uid);
// The inverse; nullopt for any other id.
std::optional<int64_t> UidOfImplicitId(const UserId& id);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_POLICY_H_
