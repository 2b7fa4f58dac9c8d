// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_TICK_H_
#define FAIRSCHED_AGENT_CORE_TICK_H_

#include <cstdint>
#include <optional>
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
  int32_t shares = 100;
  bool exempt = false;

  // Accounting.
  CpuTime use;
  std::optional<CpuTime> demand;  // >= use; unset: unknown
  // Wants: see wants.h.
  CpuTime unmet;  // demand - use; 0 if unknown
  CpuTime missing;
  bool waiting = false, wanting = false, hungry = false;
  bool woke = false;
  // Window.
  bool spent = false, starving = false;
};

// One tick between two samples.
struct Tick {
  absl::Duration at;
  absl::Duration elapsed;
  double cpus = 1;
  CpuTime capacity;  // elapsed x cpus, hypervisor steal taken off
  CpuTime managed, unmanaged, idle, hypervisor_steal;
  std::vector<TickUser> users;   // with shares, in order of id
  std::vector<TickUser> exempt;  // in order of id
};

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_TICK_H_
