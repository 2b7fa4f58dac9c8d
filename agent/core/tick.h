// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_TICK_H_
#define FAIRSCHED_AGENT_CORE_TICK_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "agent/core/ledger.h"
#include "agent/core/policy.h"
#include "agent/core/sample.h"

namespace fairsched::core {

// One user in one tick: what it did, and what follows. The parts of Step()
// fill it in, one after the other.
struct TickUser {
  const UserSample* sample = nullptr;
  Ledger* ledger = nullptr;
  Terms terms;
  int32_t arena = 0;  // where its lag is judged; see parts.h

  // Accounting.
  CpuTime use;
  std::optional<CpuTime> demand;          // >= use; unset: unknown
  bool busy = false, backlogged = false;  // all the time; see demand.h
  // Wants: see wants.h.
  CpuTime unmet;  // demand - use; 0 if unknown
  CpuTime lack;   // the same, where demand is unknown by a guess
  CpuTime missing;
  bool waiting = false, wanting = false, hungry = false;
  bool woke = false;
  CpuTime surplus;  // of its use: see window.h
  // Limits: see limits.h.
  bool limit_spent = false;  // its own, or that of a group that it is in
  bool split = false;        // its ceiling was shared out anew in this tick
  // Window.
  bool spent = false, starving = false;
  bool owes = false;  // see groups.h
};

// One group in one tick: sums over all that is below it. Filled in by groups.h
// and limits.h.
struct TickGroup {
  GroupLedger* ledger = nullptr;
  int64_t members = 0;  // present
  CpuTime use, surplus, balance, entitlement;
  CpuTime lack, missing;  // of those that are not limit-spent
  int64_t starving = 0;
  bool limit_spent = false;  // its own
};

// One tick between two samples.
struct Tick {
  absl::Duration at;
  absl::Duration elapsed;
  double cpus = 1;
  CpuTime capacity;       // elapsed x cpus, hypervisor steal taken off
  double weight_top = 0;  // see NodeDecision
  bool weight_top_shrunk = false;
  CpuTime managed, unmanaged, idle, hypervisor_steal;
  std::span<const GroupTerms> group_terms;  // of the policy
  std::vector<TickGroup> groups;            // in the order of these
  std::vector<TickUser> users;              // with shares, in order of id
  std::vector<TickUser> exempt;             // in order of id
};

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_TICK_H_
