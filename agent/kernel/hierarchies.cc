// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/hierarchies.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/controllers.h"
#include "agent/kernel/init_system.h"
#include "agent/kernel/mountinfo.h"

namespace fairsched::kernel {
namespace {

constexpr absl::string_view kHelp =
    "boot with the kernel argument systemd.unified_cgroup_hierarchy=1, or, "
    "where the init system uses no cgroups, 'mount -t cgroup2 cgroup2 "
    "/sys/fs/cgroup'";

// Whole trees first: of a part of one the node's own counters can't be read.
std::vector<std::string> WholeFirst(std::vector<Mount> mounts) {
  std::stable_partition(mounts.begin(), mounts.end(),
                        [](const Mount& mount) { return mount.root == "/"; });
  std::vector<std::string> points;
  for (Mount& mount : mounts) points.push_back(std::move(mount.point));
  return points;
}

std::vector<std::string> UnifiedPoints(std::vector<Mount> mounts) {
  std::erase_if(mounts,
                [](const Mount& mount) { return mount.type != "cgroup2"; });
  return WholeFirst(std::move(mounts));
}

// v1 trees name their controllers among the options.
std::vector<std::string> LegacyPoints(std::vector<Mount> mounts,
                                      absl::string_view controller) {
  std::erase_if(mounts, [controller](const Mount& mount) {
    const std::vector<std::string>& options = mount.super_options;
    return mount.type != "cgroup" || std::find(options.begin(), options.end(),
                                               controller) == options.end();
  });
  return WholeFirst(std::move(mounts));
}

// The first that nothing else is mounted over; empty: none.
std::string Reachable(FileSystem& fs, const std::vector<std::string>& points,
                      absl::string_view file) {
  for (const std::string& point : points) {
    if (fs.Inode(absl::StrCat(point, "/", file)).ok()) return point;
  }
  return "";
}

absl::StatusOr<Hierarchies> FindLegacy(FileSystem& fs,
                                       const std::vector<Mount>& mounts,
                                       const std::string& proc_root) {
  Hierarchies result{
      .backend = Backend::kLegacy,
      .cpu = Reachable(fs, LegacyPoints(mounts, "cpu"), "cpu.shares"),
      .cpuacct =
          Reachable(fs, LegacyPoints(mounts, "cpuacct"), "cpuacct.usage"),
      .unified = ""};
  if (result.cpu.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("no mounted cgroup tree has the cpu controller: ", kHelp));
  }
  if (result.cpuacct.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the cpu controller is in the v1 tree at ", result.cpu,
        ", but no v1 tree with cpuacct is mounted: mount one ('mount -t cgroup "
        "-o cpuacct cpuacct DIRECTORY'), or ",
        kHelp));
  }
  // Unknown is taken for systemd: its tree is not ours to make groups in.
  if (!IsSystemd(fs, proc_root).value_or(true))
    result.unified = Reachable(fs, UnifiedPoints(mounts), "cgroup.controllers");
  return result;
}

}  // namespace

std::vector<std::string> Hierarchies::Mounts() const {
  std::vector<std::string> result = {cpu};
  if (!cpuacct.empty() && cpuacct != cpu) result.push_back(cpuacct);
  if (!unified.empty()) result.push_back(unified);
  return result;
}

absl::StatusOr<Hierarchies> FindHierarchies(FileSystem& fs,
                                            const std::string& proc_root) {
  ASSIGN_OR_RETURN(const std::string text,
                   fs.Read(absl::StrCat(proc_root, "/self/mountinfo")));
  const std::vector<Mount> mounts = ParseMountinfo(text);
  for (const std::string& point : UnifiedPoints(mounts)) {
    const absl::StatusOr<std::string> controllers =
        fs.Read(absl::StrCat(point, "/cgroup.controllers"));
    if (controllers.ok() && ListsController(*controllers, "cpu")) {
      return Hierarchies{.backend = Backend::kUnified,
                         .cpu = point,
                         .cpuacct = "",
                         .unified = ""};
    }
  }
  return FindLegacy(fs, mounts, proc_root);
}

}  // namespace fairsched::kernel
