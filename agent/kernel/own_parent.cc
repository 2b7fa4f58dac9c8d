// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/own_parent.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/proc_cgroup.h"

namespace fairsched::kernel {

absl::StatusOr<std::string> UnitCgroup(FileSystem& fs,
                                       absl::string_view proc_root,
                                       const Hierarchies& hierarchies) {
  const std::string file = absl::StrCat(proc_root, "/self/cgroup");
  ASSIGN_OR_RETURN(const std::string text, fs.Read(file));
  ASSIGN_OR_RETURN(const std::vector<ProcCgroup> lines, ParseProcCgroup(text));
  std::optional<std::string> path =
      PathIn(lines, hierarchies.backend == Backend::kUnified ? "" : "cpu");
  if (!path.has_value() || IsOutside(*path)) {
    return absl::FailedPreconditionError(absl::StrCat(
        file, " names no cgroup below ", hierarchies.cpu,
        ": say with --cgroup-parent where the daemon's tree belongs"));
  }
  if (*path == "/") return "";
  return std::string(absl::StripSuffix(*path, "/.control"));
}

}  // namespace fairsched::kernel
