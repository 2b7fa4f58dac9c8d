// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_INIT_SYSTEM_H_
#define FAIRSCHED_AGENT_KERNEL_INIT_SYSTEM_H_

#include <string>

#include "absl/status/statusor.h"
#include "agent/kernel/file_system.h"

namespace fairsched::kernel {

// Whether PID 1 is systemd, by the name in `proc_root`/1/comm. An error: that
// can't be read, so it is not known.
absl::StatusOr<bool> IsSystemd(FileSystem& fs, const std::string& proc_root);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_INIT_SYSTEM_H_
