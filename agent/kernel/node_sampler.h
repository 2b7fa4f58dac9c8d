// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_NODE_SAMPLER_H_
#define FAIRSCHED_AGENT_KERNEL_NODE_SAMPLER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "agent/core/policy.h"
#include "agent/core/sample.h"
#include "agent/kernel/cgroup_table.h"
#include "agent/kernel/node_counters.h"
#include "agent/kernel/population.h"
#include "agent/runtime/node.h"

namespace fairsched::kernel {

// The identity of a uid that has no group of ours. No directory has it: inode
// numbers of cgroups are small.
constexpr uint64_t SampledInode(int64_t uid) {
  return (uint64_t{1} << 63) | static_cast<uint64_t>(uid);
}

// The users that have processes, by the last scan of them, with the counters of
// their groups as of now. A user has one cgroup per uid.
//
// A uid without a group is sampled, by what the scan saw of its processes; but
// where groups are being made, a managed user waits for its own and is left out
// until then. While there are only sampled users (observing), the sample is of
// the time of the scan, and stays the same, whatever `now` is, until the next:
// usage and the node's counters then are of the same span.
//
// For the control thread alone: not thread-safe.
class NodeSampler final : public runtime::Sampler {
 public:
  struct Deps {
    const PopulationSource& population;
    CgroupTable& table;
    NodeCounters& node;
  };
  explicit NodeSampler(Deps deps) : deps_(deps) {}

  absl::StatusOr<core::Sample> Take(const core::Policy& policy,
                                    absl::Duration now) override;
  core::UseSample TakeUse(const std::vector<uint64_t>& inodes,
                          absl::Duration now) override {
    return deps_.table.ReadUse(inodes, now);
  }

 private:
  // Nothing: its group is gone, or not there yet.
  std::optional<core::CgroupSample> SampleUid(const UidPopulation& uid,
                                              bool wait_for_group);

  const Deps deps_;
  std::optional<core::Sample> observed_;  // the last one while observing
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_NODE_SAMPLER_H_
