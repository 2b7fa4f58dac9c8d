// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_POPULATION_H_
#define FAIRSCHED_AGENT_KERNEL_POPULATION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"

namespace fairsched::kernel {

// The processes of one uid, as of the last scan of /proc.
struct UidPopulation {
  int64_t uid = 0;
  int64_t processes = 0;
  int64_t threads = 0;
  // A counter that never goes back: CPU time seen in its processes since the
  // agent started. Misses processes that came and went between two scans.
  core::CpuTime sampled_usage;
  // Its group of ours, below the mounts: "/fairsched/users/uid-1001". Empty:
  // it has none, and only sampled_usage is known (observing, or exempt).
  std::string cgroup;
};

struct Population {
  absl::Duration at;  // monotonic: when the scan began
  // Managed users have groups of ours. Else every usage is sampled, and says
  // something new only when `at` has moved on.
  bool placing = false;
  std::vector<UidPopulation> uids;  // managed and exempt ones, by uid
};

// Thread-safe.
class PopulationSource {
 public:
  virtual ~PopulationSource() = default;
  // Never null.
  virtual std::shared_ptr<const Population> Latest() const = 0;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_POPULATION_H_
