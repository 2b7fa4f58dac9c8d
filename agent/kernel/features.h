// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_FEATURES_H_
#define FAIRSCHED_AGENT_KERNEL_FEATURES_H_

#include <string>
#include <vector>

#include "agent/kernel/file_system.h"

namespace fairsched::kernel {

// The files of interest that a cgroup of this kernel has: "cpu.idle", ...
// `directories` are the cgroup's own, one in each tree.
std::vector<std::string> FeaturesOf(
    FileSystem& fs, const std::vector<std::string>& directories);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_FEATURES_H_
