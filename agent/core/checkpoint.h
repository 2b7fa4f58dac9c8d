// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_CHECKPOINT_H_
#define FAIRSCHED_AGENT_CORE_CHECKPOINT_H_

#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "agent/core/ledger.h"
#include "agent/core/policy.h"

namespace fairsched::core {

// What of one user's account outlives the daemon.
struct UserCheckpoint {
  UserId id;
  CpuTime balance, entitlement, claim;
  int32_t shares = 0;  // that `entitlement` was made with
  bool active = false, admitted = false;
  absl::Duration since_wanted, since_present;  // before Checkpoint::at
  CpuTime used, surplus;                       // of the window
  absl::Duration held;                         // likewise
  CpuTime got, unmet, due;                     // likewise, since it woke
  LimitBucket limit;
  CpuTime stolen;                 // of the window
  CpuTime owed;                   // of its ceiling: see grants.h
  CpuTime interval_left;          // of a long interval, that began
  absl::Duration since_interval;  // before Checkpoint::at
  SpanLedger span;                // under way
  std::vector<double> spans;      // x of the last ones, the oldest first
  friend bool operator==(const UserCheckpoint&,
                         const UserCheckpoint&) = default;
};

// The same of a group.
struct GroupCheckpoint {
  GroupId id;
  LimitBucket limit;
  CpuTime owed;
  CpuTime used, surplus, stolen;  // of the window
  friend bool operator==(const GroupCheckpoint&,
                         const GroupCheckpoint&) = default;
};

// The accounts as of one tick. A value.
struct Checkpoint {
  absl::Duration at;          // of the last sample; monotonic
  absl::Duration window;      // length in force
  absl::Duration window_age;  // at `at`
  uint64_t window_number = 0;
  double unmanaged_cpus = 0, forecast_cpus = 0;
  SpanState span;  // of fairness; its start counts from that of the clock
  std::vector<UserCheckpoint> users;    // by id
  std::vector<GroupCheckpoint> groups;  // by id; but the root
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

// An older one says nothing: whoever was away so long is forgotten, too.
inline constexpr absl::Duration kCheckpointHolds = absl::Minutes(10);

Checkpoint Save(const State& state);

// A state that goes on at `now` as if time had stood still since `checkpoint`:
// nobody is charged or owed for the time without a daemon, the span of fairness
// goes on, and the first sample is what the next is compared with. `now` is not
// before `checkpoint.at`.
State Resume(const Checkpoint& checkpoint, absl::Duration now);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_CHECKPOINT_H_
