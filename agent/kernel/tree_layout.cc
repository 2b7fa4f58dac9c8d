// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/tree_layout.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace fairsched::kernel {
namespace {

bool IsParent(const std::string& parent) {
  if (parent.empty()) return true;
  const std::string closed = parent + "/";
  return absl::StartsWith(parent, "/") && !absl::StrContains(closed, "//") &&
         !absl::StrContains(closed, "/./") &&
         !absl::StrContains(closed, "/../") && !absl::StrContains(parent, '\n');
}

std::string ControllerOf(const Hierarchies& hierarchies,
                         const std::string& mount) {
  if (hierarchies.backend == Backend::kUnified) return "";
  if (mount == hierarchies.cpu) return "cpu";
  return mount == hierarchies.cpuacct ? "cpuacct" : "";
}

}  // namespace

absl::StatusOr<TreeLayout> TreeLayout::Make(const Hierarchies& hierarchies,
                                            std::string parent) {
  if (!IsParent(parent)) {
    return absl::InvalidArgumentError(
        absl::StrCat("parent cgroup '", absl::CHexEscape(parent),
                     "' is neither empty nor of the form '/NAME/...'"));
  }
  std::vector<TreeMount> mounts;
  for (const std::string& mount : hierarchies.Mounts())
    mounts.push_back({mount, ControllerOf(hierarchies, mount)});
  return TreeLayout(hierarchies.backend, std::move(mounts), std::move(parent));
}

std::vector<std::string> TreeLayout::mount_paths() const {
  std::vector<std::string> paths;
  for (const TreeMount& mount : mounts_) paths.push_back(mount.path);
  return paths;
}

std::string TreeLayout::Group(int64_t uid) const {
  return absl::StrCat(users(), "/uid-", uid);
}

bool TreeLayout::Contains(absl::string_view path) const {
  return absl::ConsumePrefix(&path, root()) &&
         (path.empty() || path.front() == '/');
}

std::string TreeLayout::RootBelow(absl::string_view parent) {
  return absl::StrCat(parent, "/fairsched");
}

std::string TreeLayout::AgentBelow(absl::string_view root) {
  return absl::StrCat(root, "/agent");
}

std::string TreeLayout::UsersBelow(absl::string_view root) {
  return absl::StrCat(root, "/users");
}

std::string CgroupPath(absl::string_view mount, absl::string_view path) {
  return path == "/" ? std::string(mount) : absl::StrCat(mount, path);
}

std::string ParentOf(absl::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == 0 || slash == absl::string_view::npos) return "/";
  return std::string(path.substr(0, slash));
}

std::optional<int64_t> UidOfGroup(absl::string_view name) {
  absl::string_view digits = name;
  uint32_t uid = 0;
  if (!absl::ConsumePrefix(&digits, "uid-") ||
      !absl::SimpleAtoi(digits, &uid) || digits != absl::StrCat(uid)) {
    return std::nullopt;
  }
  return int64_t{uid};
}

}  // namespace fairsched::kernel
