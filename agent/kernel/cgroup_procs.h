// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CGROUP_PROCS_H_
#define FAIRSCHED_AGENT_KERNEL_CGROUP_PROCS_H_

#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/kernel/file_system.h"

namespace fairsched::kernel {

// The pids in `cgroup`, an absolute path. Leaves out what is no pid: "0", a
// process of another pid namespace, and a line that was cut.
absl::StatusOr<absl::flat_hash_set<int64_t>> ReadCgroupProcs(
    FileSystem& fs, absl::string_view cgroup);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CGROUP_PROCS_H_
