// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_LEDGER_H_
#define FAIRSCHED_AGENT_CORE_LEDGER_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "agent/core/decision.h"
#include "agent/core/grants.h"
#include "agent/core/long_interval.h"
#include "agent/core/policy.h"
#include "agent/core/recent_use.h"

namespace fairsched::core {

// The tokens of an absolute limit: see limits.h.
struct LimitBucket {
  bool begun = false;
  CpuTime tokens;
  CpuTime room;  // of the last second's limit: beyond it is stolen
  friend bool operator==(const LimitBucket&, const LimitBucket&) = default;
};

// What one user had in a span of fairness: see fairness.h.
struct SpanLedger {
  uint64_t number = 0;  // of the span that this is about
  CpuTime fair, got, demand;
  CpuTime had;  // of `fair`, in contended ticks
  absl::Duration starving_for;
  friend bool operator==(const SpanLedger&, const SpanLedger&) = default;
};

// The x of the last contended spans that a user took part in.
class RecentSpans {
 public:
  static constexpr size_t kSpans = 10;
  void Add(double x) { x_[added_++ % kSpans] = x; }
  size_t count() const { return std::min(added_, kSpans); }
  double x(size_t i) const { return x_[i]; }  // in any order
  // The oldest first.
  std::vector<double> All() const {
    std::vector<double> all;
    for (size_t i = added_ - count(); i < added_; ++i)
      all.push_back(x_[i % kSpans]);
    return all;
  }

 private:
  std::array<double, kSpans> x_{};
  size_t added_ = 0;
};

// A span of fairness that is under way.
struct SpanState {
  uint64_t number = 0;  // 0: none has begun
  absl::Duration start;
  bool contended = false;
  bool demand_known = true;
  CpuTime capacity, lost;
  absl::Duration largest_lag, longest_starvation;
  friend bool operator==(const SpanState&, const SpanState&) = default;
};

// What came of stopping a user: see stops.h.
struct StopRecord {
  bool since_tick = false;  // it was, at some time since the last one
  CpuTime wasted;           // idled meanwhile, beyond what is usual
  absl::Duration paused_until = -absl::InfiniteDuration();
  absl::Duration pause;  // the last one's length
};

// The account of one user. It outlives the user's cgroups, so that leaving and
// coming back launders nothing.
struct Ledger {
  CpuTime balance;        // tokens left in this window; negative: a debt
  CpuTime entitlement;    // tokens of this window; > 0 once set
  double part = 0;        // of the node, by shares among the active
  int32_t shares = 0;     // that `entitlement` was made with
  double limit_cpus = 0;  // likewise
  size_t group = 0;       // likewise
  std::optional<double> modest_cpus;  // likewise: all that it wants of late
  CpuTime claim;  // what it was refused, over windows: its carry

  bool active = false;  // wanted CPU in the last second
  absl::Duration wanted_at = -absl::InfiniteDuration();
  absl::Duration present_at;
  absl::Duration hungry_at = -absl::InfiniteDuration();
  bool admitted = false;  // has wanted CPU before

  // Limit: see limits.h.
  bool bound = false;  // its entitlement is its limit
  LimitBucket limit;
  // What the kernel was last asked for, and when; see ceiling.h.
  std::optional<Ceiling> ceiling;
  // Its part of the ceilings of groups that it is in; infinite: none.
  double group_cpus = std::numeric_limits<double>::infinity();
  GrantDebt debt;  // of its ceiling, where it has several cgroups
  LongInterval long_interval;
  absl::Duration ceiling_at = -absl::InfiniteDuration();
  // When its quota was last shared out anew; see parts.h.
  absl::Duration quotas_at = -absl::InfiniteDuration();

  // Of this window.
  CpuTime used, surplus, stolen;
  absl::Duration held;
  // The same since it woke, if that was later: what a claim is made of.
  CpuTime got, unmet;
  CpuTime due;  // its part of the elapsed time

  // In the last tick in which it competed; see Contender.
  bool was_busy = false, was_backlogged = false;

  // What the kernel was last asked for.
  bool demoted = false;
  bool yielding = false;  // behind the others until it is even; see yield.h
  bool stopped = false;   // yielding, and at next to no quota
  StopRecord stops;
  bool lifted = false;  // demoted or yielding, but at a weight for this tick
  double weight = 0;    // 0: not asked yet

  RecentUse recent;
  UserTotals totals;

  // Fairness: of this span, and what the last one came to.
  SpanLedger span;
  RecentSpans spans;
  double fair_cpus = 0;
  std::optional<double> error_ratio;
};

// The account of one group: what its members did.
struct GroupLedger {
  LimitBucket limit;
  // Of its ceiling, and when that was last shared out: see group_ceilings.h.
  GrantDebt debt;
  absl::Duration split_at = -absl::InfiniteDuration();
  CpuTime used, surplus, stolen;  // of this window
  RecentUse recent;
  UserTotals totals;
};

// The counters of one cgroup, as of the last sample.
struct CgroupLedger {
  CpuTime usage;
  std::optional<CpuTime> pressure_some;
  std::optional<CpuTime> throttled;
  uint64_t tick = 0;      // that last saw it
  double want_cpus = 0;   // its demand over the last second, or what is known
  absl::Duration asleep;  // for so long it has had none
  // Of its user's weight and ceiling: see parts.h.
  double weight_part = 1, quota_part = 1;
};

// What a cgroup wants of a ceiling that it shares. Weights of sleepers cost the
// others nothing, but a part of a quota does: it is given away soon.
inline double QuotaWant(const CgroupLedger& cgroup) {
  return cgroup.asleep >= absl::Milliseconds(300) ? 0 : cgroup.want_cpus;
}

// A user who waits, as of the last tick: see yield.h.
struct Contender {
  UserId id;
  int32_t arena = 0;  // as in TickUser
  // All the time (demand.h), in the last tick or the one before.
  bool busy = false, backlogged = false;
  double demand_cpus = 0;  // in the last tick; what it used if unknown
  struct Cgroup {
    uint64_t inode = 0;
    CpuTime usage;  // counter at the tick
  };
  std::vector<Cgroup> cgroups;
};

// All that Step() remembers. A value: copy it to keep a history.
struct State {
  uint64_t ticks = 0;
  absl::Duration at;               // of the last sample
  CpuTime busy, hypervisor_steal;  // counters of the last sample
  size_t active_users = 0;         // of the last tick

  absl::Duration window;  // length in force; 0: none has begun
  absl::Duration window_start;
  uint64_t window_number = 0;
  uint64_t expired = 0, all_spent = 0, by_policy = 0;
  CpuTime window_capacity, window_idle, window_unmanaged;

  SpanState span;
  std::optional<FairnessFigures> fairness;  // of the last span
  CpuTime lost;                             // since start

  absl::Duration window_shrunk_at = -absl::InfiniteDuration();

  double idle_cpus = 0;  // of late, while nobody was stopped: see stops.h

  // CPUs used by what is not managed: of late, and as of the last renewal.
  double unmanaged_cpus = 0;
  double forecast_cpus = 0;

  // Nodes: a Tick holds pointers while others are added.
  absl::node_hash_map<UserId, Ledger> users;
  absl::flat_hash_map<uint64_t, CgroupLedger> cgroups;  // by inode
  std::vector<GroupTerms> groups;                       // of the last tick
  absl::node_hash_map<GroupId, GroupLedger> group_ledgers;
  std::vector<Contender> contenders;  // as of the last tick
  uint64_t counter_resets = 0, counter_clamps = 0;
};

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_LEDGER_H_
