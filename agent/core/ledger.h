// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_LEDGER_H_
#define FAIRSCHED_AGENT_CORE_LEDGER_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "agent/core/decision.h"
#include "agent/core/policy.h"
#include "agent/core/recent_use.h"

namespace fairsched::core {

// The account of one user. It outlives the user's cgroups, so that leaving and
// coming back launders nothing.
struct Ledger {
  CpuTime balance;      // tokens left in this window; negative: a debt
  CpuTime entitlement;  // tokens of this window; > 0 once set
  double part = 0;      // of the node, by shares among the active
  int32_t shares = 0;   // that `entitlement` was made with
  CpuTime claim;        // what it was refused, over windows: its carry

  bool active = false;  // wanted CPU in the last second
  absl::Duration wanted_at = -absl::InfiniteDuration();
  absl::Duration present_at;
  bool admitted = false;  // has wanted CPU before

  // Of this window.
  CpuTime used, surplus;
  absl::Duration held;
  // The same since it woke, if that was later: what a claim is made of.
  CpuTime got, unmet;
  CpuTime due;  // its part of the elapsed time

  // What the kernel was last asked for.
  bool demoted = false;
  bool lifted = false;  // demoted, but at a weight for this tick
  double weight = 0;    // 0: not asked yet

  RecentUse recent;
  UserTotals totals;
};

// The counters of one cgroup, as of the last sample.
struct CgroupLedger {
  CpuTime usage;
  std::optional<CpuTime> pressure_some;
  uint64_t tick = 0;  // that last saw it
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

  // CPUs used by what is not managed: of late, and as of the last renewal.
  double unmanaged_cpus = 0;
  double forecast_cpus = 0;

  // Nodes: a Tick holds pointers while others are added.
  absl::node_hash_map<UserId, Ledger> users;
  absl::flat_hash_map<uint64_t, CgroupLedger> cgroups;  // by inode
  uint64_t counter_resets = 0, counter_clamps = 0;
};

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_LEDGER_H_
