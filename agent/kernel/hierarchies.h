// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_HIERARCHIES_H_
#define FAIRSCHED_AGENT_KERNEL_HIERARCHIES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "agent/kernel/file_system.h"

namespace fairsched::kernel {

enum class Backend {
  kUnified,  // cgroup v2: cpu.weight, cpu.idle, cpu.max, cpu.stat
  kLegacy,   // cgroup v1 cpu and cpuacct: cpu.shares, cpu.cfs_*, cpuacct.usage
};

// Where the cgroup trees that we use are mounted. Absolute paths without a
// trailing slash; empty: not there, or not for us.
struct Hierarchies {
  Backend backend = Backend::kUnified;
  std::string cpu;      // the tree with the cpu controller
  std::string cpuacct;  // legacy only; may be the same mount as `cpu`
  // Legacy only: a cgroup v2 tree beside, where groups of ours still have
  // cpu.stat and cpu.pressure. Empty where PID 1 is systemd, which tracks its
  // units in that tree.
  std::string unified;

  // The distinct mounts in which a group of ours is made, `cpu` first.
  std::vector<std::string> Mounts() const;
  friend bool operator==(const Hierarchies&, const Hierarchies&) = default;
};

// Finds them from `proc_root`/self/mountinfo and cgroup.controllers.
// FailedPrecondition, saying what is missing and how to get it, where the cpu
// controller is in neither kind of tree.
absl::StatusOr<Hierarchies> FindHierarchies(FileSystem& fs,
                                            const std::string& proc_root);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_HIERARCHIES_H_
