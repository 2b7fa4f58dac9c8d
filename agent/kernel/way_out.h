// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_WAY_OUT_H_
#define FAIRSCHED_AGENT_KERNEL_WAY_OUT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/journal_format.h"
#include "agent/kernel/proc_pid_stat.h"

namespace fairsched::kernel {

// Takes processes out of our tree, to where they were before: by what
// `entries` has of the process itself, else of its nearest ancestor that is
// recorded, else of its uid's first process; else to the parent of the tree.
//
// For one pass: it remembers what it has read of /proc and of directories.
// The references must outlive it. Not thread-safe.
class WayOut {
 public:
  WayOut(FileSystem& fs, absl::string_view proc_root,
         const JournalEntries& entries);

  // Where that is. `uid`: of its group; nullopt if it is in none.
  Origin Destination(int64_t pid, std::optional<int64_t> uid);

  // Moves `pid` there in one mount, or above it where that is gone or takes no
  // processes. NotFound: the process is gone.
  absl::Status Move(int64_t pid, std::optional<int64_t> uid, size_t mount);

 private:
  // nullopt: it is gone, or can't be read.
  const std::optional<ProcPidStat>& StatOf(int64_t pid);
  const MovedProcess* RecordOf(int64_t pid);
  std::string NearestDirectory(const std::string& mount, std::string path);

  FileSystem& fs_;
  const std::string proc_root_;
  const JournalEntries& entries_;
  const Origin parent_;
  std::map<int64_t, std::optional<ProcPidStat>> stats_;
  absl::flat_hash_map<std::string, bool> exists_;  // by absolute path
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_WAY_OUT_H_
