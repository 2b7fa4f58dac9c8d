// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/optional_file.h"

namespace fairsched::kernel {

absl::StatusOr<std::unique_ptr<File>> OpenIfThere(FileSystem& fs,
                                                  absl::string_view path) {
  absl::StatusOr<std::unique_ptr<File>> file = fs.Open(path);
  if (absl::IsNotFound(file.status())) return nullptr;
  return file;
}

}  // namespace fairsched::kernel
