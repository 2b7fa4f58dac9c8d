// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/init_system.h"

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/kernel_text.h"

namespace fairsched::kernel {

absl::StatusOr<bool> IsSystemd(FileSystem& fs, const std::string& proc_root) {
  ASSIGN_OR_RETURN(const std::string comm,
                   fs.Read(absl::StrCat(proc_root, "/1/comm")));
  return FirstWord(comm) == "systemd";
}

}  // namespace fairsched::kernel
