// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_TREE_LAYOUT_H_
#define FAIRSCHED_AGENT_KERNEL_TREE_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/kernel/hierarchies.h"

namespace fairsched::kernel {

// A hierarchy in which our tree stands.
struct TreeMount {
  std::string path;        // absolute
  std::string controller;  // its line in /proc/PID/cgroup; "": the unified one
};

// Where things are in our tree:
//
//   PARENT/fairsched/agent        the daemon
//   PARENT/fairsched/users/uid-N  the processes of uid N
//
// the same in every mount. Paths below the mounts begin with '/'; the root of
// a mount is "/". A value.
class TreeLayout {
 public:
  // `parent`: "" for the roots of the mounts, else like "/mydir".
  // InvalidArgument for any other form.
  static absl::StatusOr<TreeLayout> Make(const Hierarchies& hierarchies,
                                         std::string parent);

  Backend backend() const { return backend_; }
  const std::vector<TreeMount>& mounts() const { return mounts_; }  // cpu first
  std::vector<std::string> mount_paths() const;
  const std::string& parent() const { return parent_; }
  std::string root() const { return RootBelow(parent_); }
  std::string agent() const { return AgentBelow(root()); }
  std::string users() const { return UsersBelow(root()); }
  std::string Group(int64_t uid) const;
  // `path`, below a mount, is our root or below it.
  bool Contains(absl::string_view path) const;

  // By the root of a tree, for one that only its journal tells of.
  static std::string RootBelow(absl::string_view parent);
  static std::string AgentBelow(absl::string_view root);
  static std::string UsersBelow(absl::string_view root);

 private:
  TreeLayout(Backend backend, std::vector<TreeMount> mounts, std::string parent)
      : backend_(backend),
        mounts_(std::move(mounts)),
        parent_(std::move(parent)) {}

  Backend backend_;
  std::vector<TreeMount> mounts_;
  std::string parent_;
};

// The absolute path of `path` below `mount`.
std::string CgroupPath(absl::string_view mount, absl::string_view path);
// What is above `path`, which is not "/".
std::string ParentOf(absl::string_view path);
// N of a group's name "uid-N"; nullopt for any other name.
std::optional<int64_t> UidOfGroup(absl::string_view name);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_TREE_LAYOUT_H_
