// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/delegation.h"

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/controllers.h"
#include "agent/kernel/tree_layout.h"

namespace fairsched::kernel {
namespace {

std::string SubtreeControl(const std::string& mount, const std::string& path) {
  return absl::StrCat(CgroupPath(mount, path), "/cgroup.subtree_control");
}

// Why `path` can't give cpu to its children: it has none itself. The culprit
// is the highest one without.
absl::Status WithoutCpu(FileSystem& fs, const std::string& mount,
                        const std::string& path) {
  if (path != "/") {
    const absl::Status above = WithoutCpu(fs, mount, ParentOf(path));
    RETURN_IF_ERROR(above);
  }
  ASSIGN_OR_RETURN(
      const std::string controllers,
      fs.Read(absl::StrCat(CgroupPath(mount, path), "/cgroup.controllers")));
  if (ListsController(controllers, "cpu")) return absl::OkStatus();
  if (path == "/") {
    return absl::FailedPreconditionError(absl::StrCat(
        "the cpu controller is not in the cgroup tree at ", mount));
  }
  return absl::FailedPreconditionError(
      absl::StrCat("cgroup ", path, " has no cpu controller: write '+cpu' to ",
                   SubtreeControl(mount, ParentOf(path))));
}

}  // namespace

absl::StatusOr<bool> IsCpuOnBelow(FileSystem& fs, const std::string& mount,
                                  const std::string& path) {
  ASSIGN_OR_RETURN(const std::string on, fs.Read(SubtreeControl(mount, path)));
  return ListsController(on, "cpu");
}

absl::Status TurnOnCpuBelow(FileSystem& fs, const std::string& mount,
                            const std::string& path) {
  const absl::Status status = fs.Write(SubtreeControl(mount, path), "+cpu");
  if (absl::IsNotFound(status)) {
    RETURN_IF_ERROR(WithoutCpu(fs, mount, path));
  }
  if (absl::IsUnavailable(status)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "cgroup ", path,
        " holds processes, so its children can't have the cpu controller: "
        "move them into a cgroup below it (",
        status.message(), ")"));
  }
  return status;
}

}  // namespace fairsched::kernel
