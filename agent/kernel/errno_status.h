// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_ERRNO_STATUS_H_
#define FAIRSCHED_AGENT_KERNEL_ERRNO_STATUS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// What `error`, an errno value other than 0, of `operation` on `path` means, in
// the codes that file_system.h promises. The message reads
// "write '0' to /sys/fs/cgroup/a/cpu.weight: Invalid argument (EINVAL)".
absl::Status ErrnoStatus(int error, absl::string_view operation,
                         absl::string_view path);

// The `operation` of a write: "write '0' to", with the start of `data`.
std::string WriteOperation(absl::string_view data);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_ERRNO_STATUS_H_
