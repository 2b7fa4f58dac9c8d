// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_ADOPTED_SAMPLER_H_
#define FAIRSCHED_AGENT_KERNEL_ADOPTED_SAMPLER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "agent/core/policy.h"
#include "agent/core/sample.h"
#include "agent/kernel/adoption.h"
#include "agent/kernel/cgroup_table.h"
#include "agent/kernel/node_counters.h"
#include "agent/runtime/node.h"

namespace fairsched::kernel {

// The users that have cgroups, by the last scan for them, with the counters of
// these as of now. A refused cgroup has its RefusedInode(), and a nested one no
// usage, ever.
//
// For the control thread alone: not thread-safe.
class AdoptedSampler final : public runtime::Sampler {
 public:
  struct Deps {
    const AdoptionSource& adoption;
    CgroupTable& table;
    NodeCounters& node;
  };
  explicit AdoptedSampler(Deps deps) : deps_(deps) {}

  absl::StatusOr<core::Sample> Take(const core::Policy& policy,
                                    absl::Duration now) override;
  core::UseSample TakeUse(const std::vector<uint64_t>& inodes,
                          absl::Duration now) override {
    return deps_.table.ReadUse(inodes, now);
  }

 private:
  // Nothing: it is gone, or can't be read.
  std::optional<core::CgroupSample> Read(const AdoptedCgroup& cgroup);

  const Deps deps_;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_ADOPTED_SAMPLER_H_
