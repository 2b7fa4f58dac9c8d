// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CGROUP_PROCS_H_
#define FAIRSCHED_AGENT_KERNEL_CGROUP_PROCS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/kernel/file_system.h"

namespace fairsched::kernel {

// The pids in `cgroup`, an absolute path. Leaves out what is no pid: "0", a
// process of another pid namespace, and a line that was cut.
absl::StatusOr<absl::flat_hash_set<int64_t>> ReadCgroupProcs(
    FileSystem& fs, absl::string_view cgroup);

// Of this many cgroups at most the processes are counted.
inline constexpr size_t kMaxCountedCgroups = 10000;

// How many processes are in `cgroup`, an absolute path, and below. nullopt:
// something there could not be read, or there are too many cgroups. What is
// gone, or has threads only (cgroup.type "threaded"), has none.
std::optional<int64_t> CountProcesses(FileSystem& fs, std::string cgroup);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CGROUP_PROCS_H_
