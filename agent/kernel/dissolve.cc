// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/dissolve.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "agent/kernel/cgroup_procs.h"
#include "agent/kernel/tree_layout.h"
#include "agent/kernel/way_out.h"

namespace fairsched::kernel {
namespace {

// Between two tries: long enough for the dying to be gone, and so short that
// few are born meanwhile.
constexpr absl::Duration kPause = absl::Milliseconds(2);

struct TreeCgroup {
  size_t mount = 0;
  std::string path;  // below the mount
};

class Dissolver {
 public:
  Dissolver(const TreeDeps& deps, const JournalEntries& entries)
      : deps_(deps),
        entries_(entries),
        users_(TreeLayout::UsersBelow(entries.root)) {}

  DissolveReport Run();

 private:
  // One try at everything. True: nothing is left.
  bool Pass();
  std::vector<TreeCgroup> FindAll();  // children before their parents
  void FindInMount(size_t mount, std::vector<TreeCgroup>& found);
  void FindRecorded(size_t mount, std::vector<TreeCgroup>& found);
  void Clear(const TreeCgroup& cgroup, WayOut& way_out);
  void Empty(const TreeCgroup& cgroup, WayOut& way_out);
  void TurnOffControllers();
  void MakeNeutral(const std::string& cgroup);

  bool IsOfUsers(const TreeCgroup& cgroup) const {
    return cgroup.path == users_ || absl::StartsWith(cgroup.path, users_ + "/");
  }
  std::optional<int64_t> UidOf(const TreeCgroup& cgroup) const;
  std::string Absolute(const TreeCgroup& cgroup) const {
    return CgroupPath(entries_.mounts[cgroup.mount], cgroup.path);
  }

  const TreeDeps& deps_;
  const JournalEntries& entries_;
  const std::string users_;
  absl::flat_hash_set<int64_t> moved_;
  std::map<int64_t, absl::Status> failed_;  // by pid
  std::set<std::string> removed_;           // below the mounts
  std::vector<std::string> left_;           // by the last pass
  absl::Status error_;                      // of the last pass
};

DissolveReport Dissolver::Run() {
  const absl::Duration deadline = deps_.clock.Now() + kDissolveTime;
  while (!Pass() && deps_.clock.Now() < deadline) deps_.pause(kPause);
  for (const std::string& cgroup : left_) MakeNeutral(cgroup);
  for (const auto& [pid, status] : failed_) error_.Update(status);
  return {.processes_moved = static_cast<int64_t>(moved_.size()),
          .failed_moves = static_cast<int64_t>(failed_.size()),
          .cgroups_removed = static_cast<int64_t>(removed_.size()),
          .left = left_,
          .first_error = error_};
}

bool Dissolver::Pass() {
  left_.clear();
  error_ = absl::OkStatus();
  WayOut way_out(deps_.fs, deps_.proc_root, entries_);
  const std::vector<TreeCgroup> all = FindAll();
  for (const TreeCgroup& cgroup : all) {
    if (IsOfUsers(cgroup)) Clear(cgroup, way_out);
  }
  // The daemon may have come from the parent, which takes no processes before
  // this; and before the groups were empty it could not be done.
  if (left_.empty()) TurnOffControllers();
  for (const TreeCgroup& cgroup : all) {
    if (!IsOfUsers(cgroup)) Clear(cgroup, way_out);
  }
  return left_.empty();
}

std::vector<TreeCgroup> Dissolver::FindAll() {
  std::vector<TreeCgroup> all;
  for (size_t mount = 0; mount < entries_.mounts.size(); ++mount) {
    std::vector<TreeCgroup> found;
    FindInMount(mount, found);
    FindRecorded(mount, found);
    all.insert(all.end(), found.rbegin(), found.rend());
  }
  return all;
}

void Dissolver::FindInMount(size_t mount, std::vector<TreeCgroup>& found) {
  const TreeCgroup root{mount, entries_.root};
  const absl::Status exists = deps_.fs.Inode(Absolute(root)).status();
  if (absl::IsNotFound(exists)) return;
  found.push_back(root);
  for (size_t i = 0; i < found.size(); ++i) {
    const std::string path = found[i].path;
    const absl::StatusOr<std::vector<std::string>> names =
        deps_.fs.ListDirectories(Absolute(found[i]));
    if (!names.ok()) continue;  // what is there shows when `path` is removed
    for (const std::string& name : *names)
      found.push_back({mount, absl::StrCat(path, "/", name)});
  }
}

// What could not be listed but is known to have been made.
void Dissolver::FindRecorded(size_t mount, std::vector<TreeCgroup>& found) {
  const std::string& top = entries_.mounts[mount];
  for (const std::string& directory : entries_.directories) {
    // With the root: one mount's path may begin another's.
    if (!absl::StartsWith(directory, top + entries_.root)) continue;
    const absl::string_view path =
        absl::string_view(directory).substr(top.size());
    const bool known = std::any_of(
        found.begin(), found.end(),
        [path](const TreeCgroup& cgroup) { return cgroup.path == path; });
    if (known || !deps_.fs.Inode(directory).ok()) continue;
    found.push_back({mount, std::string(path)});
  }
}

void Dissolver::Clear(const TreeCgroup& cgroup, WayOut& way_out) {
  Empty(cgroup, way_out);
  const absl::Status status = deps_.fs.RemoveDirectory(Absolute(cgroup));
  if (status.ok()) {
    removed_.insert(cgroup.path);
  } else {
    error_.Update(status);
    left_.push_back(Absolute(cgroup));
  }
}

void Dissolver::Empty(const TreeCgroup& cgroup, WayOut& way_out) {
  const absl::StatusOr<absl::flat_hash_set<int64_t>> pids =
      ReadCgroupProcs(deps_.fs, Absolute(cgroup));
  if (!pids.ok()) {
    if (!absl::IsNotFound(pids.status())) error_.Update(pids.status());
    return;
  }
  for (const int64_t pid : *pids) {
    const absl::Status status = way_out.Move(pid, UidOf(cgroup), cgroup.mount);
    failed_.erase(pid);
    if (status.ok()) {
      moved_.insert(pid);
    } else if (!absl::IsNotFound(status)) {
      failed_.emplace(pid, status);
    }
  }
}

// Only where nobody else uses what we turned on.
void Dissolver::TurnOffControllers() {
  for (const std::string& parent : entries_.enabled) {
    const absl::StatusOr<std::vector<std::string>> children =
        deps_.fs.ListDirectories(parent);
    if (!children.ok() || children->size() != 1) continue;
    // Best effort: left on, it does no harm.
    deps_.fs
        .Write(absl::StrCat(parent, "/", children->front(),
                            "/cgroup.subtree_control"),
               "-cpu")
        .IgnoreError();
    deps_.fs.Write(absl::StrCat(parent, "/cgroup.subtree_control"), "-cpu")
        .IgnoreError();
  }
}

// cpu.idle first: an idle group takes no weight.
void Dissolver::MakeNeutral(const std::string& cgroup) {
  static constexpr std::pair<absl::string_view, absl::string_view> kNeutral[] =
      {{"cpu.idle", "0"},
       {"cpu.weight", "100"},
       {"cpu.max", "max"},
       {"cpu.shares", "1024"},
       {"cpu.cfs_quota_us", "-1"}};
  for (const auto& [file, value] : kNeutral) {
    const absl::Status status =
        deps_.fs.Write(absl::StrCat(cgroup, "/", file), value);
    // Each version has its own files.
    if (!absl::IsNotFound(status)) error_.Update(status);
  }
}

std::optional<int64_t> Dissolver::UidOf(const TreeCgroup& cgroup) const {
  absl::string_view name = cgroup.path;
  if (!absl::ConsumePrefix(&name, users_ + "/")) return std::nullopt;
  return UidOfGroup(name.substr(0, name.find('/')));
}

}  // namespace

absl::Status DissolveReport::ToStatus() const {
  if (left.empty()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(
      "dissolve: still there after ", absl::FormatDuration(kDissolveTime),
      ", at neutral values: ", absl::StrJoin(left, ", "), ": ",
      first_error.message()));
}

DissolveReport DissolveTree(const TreeDeps& deps,
                            const JournalEntries& entries) {
  return Dissolver(deps, entries).Run();
}

}  // namespace fairsched::kernel
