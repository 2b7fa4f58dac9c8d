// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_PROC_CGROUP_H_
#define FAIRSCHED_AGENT_KERNEL_PROC_CGROUP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// One line of /proc/PID/cgroup: where a process is in one hierarchy.
struct ProcCgroup {
  int64_t hierarchy = 0;                 // 0: the unified one
  std::vector<std::string> controllers;  // "cpu", "name=systemd"; unified: none
  // Below the root of the hierarchy, as written: of a cgroup that is removed
  // (only zombies are in one) it ends in " (deleted)".
  std::string path;
};

// "PATH (deleted)". A living cgroup may have such a name, too.
bool LooksDeleted(absl::string_view path);
// Nowhere that this process can see: beside or above the root of its cgroup
// namespace.
bool IsOutside(absl::string_view path);

// InvalidArgument, with the line, for what is not "ID:CONTROLLERS:/PATH". A
// path may hold ':' and any other byte but a newline.
absl::StatusOr<std::vector<ProcCgroup>> ParseProcCgroup(absl::string_view text);

// The path in the hierarchy of `controller`, "" being the unified one; nullopt
// if none of `lines` is.
std::optional<std::string> PathIn(const std::vector<ProcCgroup>& lines,
                                  absl::string_view controller);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_PROC_CGROUP_H_
