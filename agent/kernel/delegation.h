// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_DELEGATION_H_
#define FAIRSCHED_AGENT_KERNEL_DELEGATION_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/kernel/file_system.h"

// The cpu controller of the unified tree is there for a cgroup's children when
// its cgroup.subtree_control says so. `path` is below `mount`, "/" its root.
namespace fairsched::kernel {

absl::StatusOr<bool> IsCpuOnBelow(FileSystem& fs, const std::string& mount,
                                  const std::string& path);

// Turns it on. FailedPrecondition, with what to do about it: a cgroup above
// has it off, or `path` holds processes, which then can't have such children.
absl::Status TurnOnCpuBelow(FileSystem& fs, const std::string& mount,
                            const std::string& path);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_DELEGATION_H_
