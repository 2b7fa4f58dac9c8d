// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/way_out.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/kernel/process_scan.h"
#include "agent/kernel/tree_layout.h"

namespace fairsched::kernel {
namespace {

// Longer chains of processes are not followed; and pids that are given anew
// between two reads could make a ring.
constexpr int kMaxAncestors = 1000;

}  // namespace

WayOut::WayOut(FileSystem& fs, absl::string_view proc_root,
               const JournalEntries& entries)
    : fs_(fs),
      proc_root_(proc_root),
      entries_(entries),
      parent_(entries.mounts.size(), ParentOf(entries.root)) {}

Origin WayOut::Destination(int64_t pid, std::optional<int64_t> uid) {
  for (int i = 0; i < kMaxAncestors && pid > 0; ++i) {
    const MovedProcess* const record = RecordOf(pid);
    if (record != nullptr) return record->origin;
    const std::optional<ProcPidStat>& stat = StatOf(pid);
    if (!stat.has_value()) break;
    pid = stat->ppid;
  }
  if (uid.has_value()) {
    const auto first = entries_.first_origins.find(*uid);
    if (first != entries_.first_origins.end()) return first->second;
  }
  return parent_;
}

absl::Status WayOut::Move(int64_t pid, std::optional<int64_t> uid,
                          size_t mount) {
  const std::string& top = entries_.mounts[mount];
  std::string path = Destination(pid, uid)[mount];
  for (;;) {
    path = NearestDirectory(top, std::move(path));
    const absl::Status status =
        fs_.Write(absl::StrCat(CgroupPath(top, path), "/cgroup.procs"),
                  absl::StrCat(pid));
    // Busy: its children have controllers, so it takes no processes any more.
    if (!absl::IsUnavailable(status) || path == "/") return status;
    path = ParentOf(path);
  }
}

const std::optional<ProcPidStat>& WayOut::StatOf(int64_t pid) {
  const auto known = stats_.find(pid);
  if (known != stats_.end()) return known->second;
  absl::StatusOr<ProcPidStat> stat = ReadProcPidStat(fs_, proc_root_, pid);
  std::optional<ProcPidStat> result;
  if (stat.ok()) result = *std::move(stat);
  return stats_.emplace(pid, std::move(result)).first->second;
}

const MovedProcess* WayOut::RecordOf(int64_t pid) {
  const auto found = entries_.processes.find(pid);
  if (found == entries_.processes.end()) return nullptr;
  const std::optional<ProcPidStat>& stat = StatOf(pid);
  // Another start time: the pid was given to another process since.
  const bool same =
      stat.has_value() && stat->start_ticks == found->second.start_ticks;
  return same ? &found->second : nullptr;
}

std::string WayOut::NearestDirectory(const std::string& mount,
                                     std::string path) {
  while (path != "/") {
    const std::string directory = CgroupPath(mount, path);
    const auto [known, is_new] = exists_.emplace(directory, false);
    if (is_new)
      known->second = !absl::IsNotFound(fs_.Inode(directory).status());
    if (known->second) return path;
    path = ParentOf(path);
  }
  return path;
}

}  // namespace fairsched::kernel
