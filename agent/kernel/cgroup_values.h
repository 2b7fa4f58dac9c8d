// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CGROUP_VALUES_H_
#define FAIRSCHED_AGENT_KERNEL_CGROUP_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "agent/core/cpu_time.h"
#include "agent/core/decision.h"
#include "agent/kernel/cpu_files.h"
#include "agent/kernel/cpu_max.h"
#include "agent/kernel/cpu_weight.h"

namespace fairsched::kernel {

// What the kernel holds for one cgroup. Other than core::CpuValues, it has the
// period and the burst where there is no quota, too.
struct CgroupValues {
  int32_t weight = kDefaultWeight;  // meaningless while idle
  bool idle = false;
  CpuMax max;
  core::CpuTime burst;
};

// Whether they come to the same: an idle cgroup has no weight to differ in.
bool operator==(const CgroupValues& a, const CgroupValues& b);

core::CpuValues Outward(const CgroupValues& values);

// What to have in the kernel where `wanted` is decided and `own` would be there
// without us. Never looser than the operator's own: the smaller of both quotas
// (by CPUs), idle if either says so, and of the weights the smaller where the
// own one is below the default. (A larger own weight is no ceiling.)
CgroupValues TargetOf(const core::CpuValues& wanted, const CgroupValues& own);

// "weight 250", "idle, 50000 us in every 100000 us"
std::string Describe(const CgroupValues& values);

// One write of a plan.
struct PlannedWrite {
  CpuFile file;
  std::string text;
  friend bool operator==(const PlannedWrite&, const PlannedWrite&) = default;
};

// The writes, in an order that every kernel takes, that make `now` the
// `target`; none for what is so already. By the kernel's rules:
// - a burst is never above its quota, so it is lowered before, raised after;
// - v1 judges each of quota and period against the parent at once, so the
//   first one written is that which lowers the ratio of the two;
// - an idle group takes no weight, and one that leaves idle has the default.
std::vector<PlannedWrite> PlanWrites(const CgroupValues& now,
                                     const CgroupValues& target,
                                     Backend backend);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CGROUP_VALUES_H_
