// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_OPTIONAL_FILE_H_
#define FAIRSCHED_AGENT_KERNEL_OPTIONAL_FILE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/kernel/file_system.h"

namespace fairsched::kernel {

// Opens a file that not every kernel, or not every cgroup, has: null where it
// is not found.
absl::StatusOr<std::unique_ptr<File>> OpenIfThere(FileSystem& fs,
                                                  absl::string_view path);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_OPTIONAL_FILE_H_
