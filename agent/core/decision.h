// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_DECISION_H_
#define FAIRSCHED_AGENT_CORE_DECISION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "agent/core/policy.h"

namespace fairsched::core {

// At most `quota` of CPU time in every `period`; cpu.max and cpu.max.burst.
struct Ceiling {
  CpuTime quota;          // >= 1 ms
  absl::Duration period;  // 1 ms..1 s
  CpuTime burst;          // saved at most; <= quota
  double cpus() const { return quota.Cpus(period); }
  friend bool operator==(const Ceiling&, const Ceiling&) = default;
};

// What one cgroup's files should say.
struct CpuValues {
  int32_t weight = 100;  // cpu.weight, 1..10000
  bool idle = false;     // cpu.idle: gets only what its siblings leave
  std::optional<Ceiling> ceiling;  // unset: none
  friend bool operator==(const CpuValues&, const CpuValues&) = default;
};

struct CgroupDecision {
  uint64_t inode = 0;
  CpuValues wanted;
  friend bool operator==(const CgroupDecision&,
                         const CgroupDecision&) = default;
};

// How a user stands.
enum class UserState {
  kAbsent,   // has no process
  kQuiet,    // wants no CPU
  kRunning,  // has tokens
  kSpent,    // has no tokens, but nobody starves for it
  kHeld,     // demoted: others with tokens go first
  kLimited,  // at its limit
  kExempt,   // never throttled, but accounted
};

// Why, as a closed list; the text beside it has the figures.
enum class ReasonCode {
  kNone,
  kQuiet,              // wants no CPU
  kHasTokens,          // balance > 0
  kSpentAlone,         // spent, and no other user wants CPU
  kSpentUncontended,   // spent, and nobody who has tokens lacks CPU
  kSpentOthersStarve,  // spent while others with tokens lack CPU: demoted
  kFloor,              // demoted, lifted for a tick to get its floor
  kAtLimit,            // limit spent: others go first, or its ceiling holds it
  kStealUsedUp,        // at its limit and the steal beyond it
  kExempt,             // exempt by policy
};

struct Reason {
  ReasonCode code = ReasonCode::kNone;
  std::string text;  // e.g. "spent: 3.20 s of 3.20 s, window ends in 1.4 s"
};

// CPU time since the daemon started (since the user was first seen).
struct UserTotals {
  CpuTime used;
  CpuTime entitled;     // what its shares gave it while it was active
  CpuTime surplus;      // used while nobody else waited, or while demoted
  CpuTime fair;         // its fair share: see fairness.h
  CpuTime unmet;        // wanted and not got, as far as demand was known
  CpuTime stolen;       // used beyond its limit, of what was left over
  CpuTime throttled;    // that its ceiling held it, by the kernel's count
  absl::Duration held;  // wall time demoted
};

struct UserDecision {
  UserId id;
  UserState state = UserState::kAbsent;
  Reason reason;
  int32_t shares = 100;
  bool sampled = false;

  double cpus = 0;                    // used over the last second
  double entitlement_cpus = 0;        // entitlement / window
  std::optional<double> demand_cpus;  // of the last tick; unset: unknown
  double fair_cpus = 0;               // of the last span
  std::optional<double> error_ratio;  // got / fair - 1; unset: wanted little
  CpuTime balance;                    // tokens left; negative: a debt
  CpuTime entitlement;                // of this window
  CpuTime used;                       // in this window
  CpuTime surplus;                    // in this window
  CpuTime stolen;                     // in this window
  absl::Duration held;                // in this window
  std::optional<double> limit_cpus;   // unset: none
  double steal_cpus = 0;              // beyond the limit; infinite: unlimited
  GroupId group;                      // "": the root
  UserTotals totals;

  std::optional<int64_t> threads;
  std::optional<int64_t> processes;
  std::vector<CgroupDecision> cgroups;
};

// How a group stands: sums over all users below it.
struct GroupDecision {
  GroupId id;
  GroupId parent;
  int32_t shares = 100;
  std::optional<double> limit_cpus;  // unset: none
  bool at_limit = false;             // its members go last, or are held
  int64_t members = 0;               // present users
  double cpus = 0;                   // used over the last second
  double entitlement_cpus = 0;
  CpuTime balance, entitlement;
  CpuTime used, surplus, stolen;  // in this window
  UserTotals totals;              // used, surplus and stolen
};

// Why a window ended.
enum class WindowEnd {
  kExpired,   // its length was over
  kAllSpent,  // all who wanted CPU were spent: restarted at once
  kPolicy,    // the policy changed, or time jumped
};

// How fair a span was: see fairness.h.
struct FairnessFigures {
  double fairness = 0;    // jain x (1 - lost) x steadiness, in 0..1
  double jain = 0;        // how equal x was, weighted by fair shares
  double lost_ratio = 0;  // of capacity: idle while somebody held could run
  std::optional<double> steadiness;  // unset: fewer than 3 contended spans
  double min_x = 0;
  double worst_error_ratio = 0;  // of |got - fair| / fair
  absl::Duration largest_lag;
  std::optional<absl::Duration> longest_starvation;  // unset: demand unknown
  bool demand_known = false;
  bool flagged = false;  // not to be trusted: demand unknown, or min_x is low
};

struct FairnessUser {
  UserId id;
  CpuTime got, fair, demand;
  double x = 0;
};

struct FairnessReport {
  uint64_t number = 0;
  absl::Duration at;  // monotonic: when it ended
  absl::Duration length;
  std::optional<FairnessFigures> figures;  // unset: no contention
  std::vector<FairnessUser> users;         // in order of id
};

struct NodeDecision {
  absl::Duration elapsed;  // between this sample and the one before
  double cpus = 0;
  CpuTime capacity;  // of the tick: cpus x elapsed, hypervisor steal taken off
  // Used in the tick, by whom.
  CpuTime managed;    // users with shares
  CpuTime unmanaged;  // everything else: exempt users and other
  CpuTime idle;       // capacity that nobody used
  CpuTime hypervisor_steal;
  double exempt_forecast_cpus = 0;  // taken off what the users share

  uint64_t window_number = 0;
  absl::Duration window;      // length in force
  absl::Duration window_age;  // time since it began
  uint64_t windows_expired = 0;
  uint64_t windows_all_spent = 0;
  uint64_t windows_policy = 0;

  bool contended = false;                   // somebody waits
  std::optional<FairnessFigures> fairness;  // of the last span
  CpuTime lost;                             // since start
  // A weight is at most so many times its base: less than usual where the
  // entitlements of those that want CPU are far apart.
  double weight_top = 0;
  bool weight_top_shrunk = false;
  int64_t wanting_users = 0;
  // Nonsense from the kernel, caught: since start.
  uint64_t counter_resets = 0;
  uint64_t counter_clamps = 0;
};

// What one user had in a window that ended.
struct WindowUser {
  UserId id;
  CpuTime used, entitlement, balance_before, balance_after, surplus;
  absl::Duration held;
};

struct WindowReport {
  std::optional<FairnessFigures> fairness;  // of the last span at its end
  uint64_t number = 0;
  absl::Duration at;      // monotonic: when it ended
  absl::Duration length;  // that it really had
  WindowEnd end = WindowEnd::kExpired;
  int64_t multiple = 1;  // entitlements handed out at its end
  CpuTime capacity, idle, unmanaged;
  std::vector<WindowUser> users;
};

// One tick's answer: what the kernel should hold, and why.
struct Decision {
  absl::Duration at;  // the sample's
  NodeDecision node;
  std::vector<UserDecision> users;     // in order of id
  std::vector<GroupDecision> groups;   // of the policy, each behind its parent
  std::optional<WindowReport> ended;   // the window that this tick ended
  std::optional<FairnessReport> span;  // the span that this tick ended
};

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_DECISION_H_
