// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_DISCOVERY_H_
#define FAIRSCHED_AGENT_KERNEL_DISCOVERY_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "agent/core/policy.h"
#include "agent/kernel/adoption.h"
#include "agent/kernel/file_system.h"

namespace fairsched::kernel {

// More than this are not adopted: the first ones by path are.
inline constexpr size_t kMaxAdoptedCgroups = 32768;

struct Discovered {
  Adoption adoption;
  // In which such cgroups come and go: absolute paths.
  std::set<std::string> directories;
  std::set<int64_t> uids;  // that have slices, and would be users
  // What could not be looked at, or was too much; OK: the adoption is whole.
  absl::Status first_error;
};

// Finds the cgroups below `mount`, a unified tree, that are users' by `policy`.
//
// Refused are a cgroup inside another user's (kNested: what is used there is
// the other's already), and the one that the daemon itself is in, at
// `own_cgroup` below the mount or inside ("": nowhere), unless its user is
// exempt. A user's cgroup inside another of its own is left out.
Discovered Discover(FileSystem& fs, const std::string& mount,
                    const core::Policy& policy, const std::string& own_cgroup);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_DISCOVERY_H_
