// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_REAL_FILE_SYSTEM_H_
#define FAIRSCHED_AGENT_KERNEL_REAL_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/kernel/file_system.h"

namespace fairsched::kernel {

// The kernel's own files. Without state: thread-safe.
class RealFileSystem final : public FileSystem {
 public:
  absl::StatusOr<std::unique_ptr<File>> Open(absl::string_view path) override;
  absl::StatusOr<std::string> Read(absl::string_view path) override;
  absl::Status Write(absl::string_view path, absl::string_view data) override;
  absl::StatusOr<std::vector<std::string>> ListDirectories(
      absl::string_view path) override;
  absl::Status MakeDirectory(absl::string_view path) override;
  absl::Status RemoveDirectory(absl::string_view path) override;
  absl::StatusOr<uint64_t> Inode(absl::string_view path) override;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_REAL_FILE_SYSTEM_H_
