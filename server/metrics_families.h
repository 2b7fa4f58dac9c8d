// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_METRICS_FAMILIES_H_
#define FAIRSCHED_SERVER_METRICS_FAMILIES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/time/time.h"
#include "agent/runtime/node.h"
#include "agent/runtime/snapshot.h"
#include "server/family.h"
#include "server/node_totals.h"
#include "server/process_stats.h"
#include "server/rpc_stats.h"

// The families of the metrics page, by what they are about.
namespace fairsched::server {

// So many users have series of their own: those who used most. What the others
// add up to goes to the user "_other", which no user can be called.
inline constexpr size_t kMaxMetricUsers = 1000;

void AddUserFamilies(const runtime::Snapshot& snapshot, size_t max_users,
                     Families& families);

void AddNodeFamilies(const runtime::Snapshot& snapshot,
                     const NodeCpuTime& totals, Families& families);

void AddGroupFamilies(const core::Decision& decision, Families& families);

void AddFairnessFamilies(const core::NodeDecision& node, Families& families);

// The loop and what it does to the kernel.
void AddLoopFamilies(const runtime::Snapshot& snapshot, Families& families);
void AddPlacementFamilies(const runtime::PlacementReport& report,
                          Families& families);

struct DaemonFigures {
  absl::Time start_time;
  std::optional<uint64_t> policy_revision;  // in force
  size_t overrides = 0;                     // that are set
  size_t watchers = 0;
  RpcStats::Counts rpcs;
  ProcessStats process;
};
void AddDaemonFamilies(const DaemonFigures& figures, Families& families);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_METRICS_FAMILIES_H_
