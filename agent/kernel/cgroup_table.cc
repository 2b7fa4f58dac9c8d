// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_table.h"

#include <utility>
#include <vector>

#include "agent/core/status_macros.h"

namespace fairsched::kernel {

CgroupTable::CgroupTable(FileSystem& fs, Hierarchies hierarchies)
    : fs_(fs), hierarchies_(std::move(hierarchies)) {}

absl::StatusOr<CgroupTable::Reading> CgroupTable::Read(
    const std::string& path) {
  if (const auto known = inode_of_path_.find(path);
      known != inode_of_path_.end()) {
    const uint64_t inode = known->second;
    Entry& entry = entries_.at(inode);
    const absl::StatusOr<CgroupCounters> counters =
        entry.cgroup->ReadCounters();
    if (counters.ok()) {
      entry.read = true;
      return Reading{.inode = inode, .counters = *counters};
    }
    if (!absl::IsNotFound(counters.status())) return counters.status();
    // Another may have its name by now.
    Drop(inode);
  }
  ASSIGN_OR_RETURN(std::unique_ptr<Cgroup> cgroup,
                   Cgroup::Open(fs_, hierarchies_, path));
  const uint64_t inode = cgroup->inode();
  ASSIGN_OR_RETURN(const CgroupCounters counters, cgroup->ReadCounters());
  inode_of_path_[path] = inode;
  entries_[inode] = Entry{.cgroup = std::move(cgroup)};
  return Reading{.inode = inode, .counters = counters};
}

core::CgroupSample CgroupTable::Reading::Sample() const {
  core::CgroupSample sample;
  sample.inode = inode;
  sample.usage = counters.usage;
  sample.pressure_some = counters.pressure_some;
  sample.throttled = counters.throttled;
  return sample;
}

core::UseSample CgroupTable::ReadUse(const std::vector<uint64_t>& inodes,
                                     absl::Duration now) {
  core::UseSample sample{.at = now};
  for (const uint64_t inode : inodes) {
    Cgroup* const cgroup = Find(inode);
    if (cgroup == nullptr) continue;
    const absl::StatusOr<core::CpuTime> usage = cgroup->ReadUsage();
    if (usage.ok()) sample.cgroups.push_back({.inode = inode, .usage = *usage});
  }
  return sample;
}

Cgroup* CgroupTable::Find(uint64_t inode) {
  const auto found = entries_.find(inode);
  return found == entries_.end() ? nullptr : found->second.cgroup.get();
}

void CgroupTable::Drop(uint64_t inode) {
  const auto found = entries_.find(inode);
  if (found == entries_.end()) return;
  dropped_reads_ += found->second.cgroup->reads();
  inode_of_path_.erase(found->second.cgroup->path());
  entries_.erase(found);
}

void CgroupTable::DropGone() {
  std::vector<uint64_t> gone;
  for (auto& [inode, entry] : entries_) {
    if (!entry.read && !entry.cgroup->Exists()) gone.push_back(inode);
    entry.read = false;
  }
  for (const uint64_t inode : gone) Drop(inode);
}

int64_t CgroupTable::reads() const {
  int64_t result = dropped_reads_;
  for (const auto& [inode, entry] : entries_) result += entry.cgroup->reads();
  return result;
}

}  // namespace fairsched::kernel
