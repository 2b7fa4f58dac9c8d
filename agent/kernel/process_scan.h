// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_PROCESS_SCAN_H_
#define FAIRSCHED_AGENT_KERNEL_PROCESS_SCAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/core/policy.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/proc_cgroup.h"
#include "agent/kernel/proc_pid_stat.h"

namespace fairsched::kernel {

// A process, which may be gone by now.
struct Process {
  int64_t pid = 0;
  int64_t ppid = 0;
  int64_t ruid = 0;
  int64_t threads = 0;
  std::optional<int64_t> loginuid;  // known for ruid 0 only
  bool kernel_thread = false;
};

struct ProcessScan {
  std::vector<Process> processes;     // by pid; no zombies
  absl::flat_hash_set<int64_t> pids;  // all that were listed
  int64_t unreadable = 0;             // left out, though not gone
  absl::Status first_error;           // of those
};

// All processes that `proc_root` shows. One that goes meanwhile is left out.
// An error means that `proc_root` itself can't be read.
absl::StatusOr<ProcessScan> ScanProcesses(FileSystem& fs,
                                          absl::string_view proc_root);

// Whose a process is.
struct Owner {
  int64_t uid = 0;
  bool exempt = false;
  friend bool operator==(const Owner&, const Owner&) = default;
};

// The real uid's, but what a managed login runs as root stays the login's.
// nullopt: nobody's that `policy` knows; kernel threads are nobody's.
std::optional<Owner> OwnerOf(const core::Policy& policy,
                             const Process& process);

// Of one process, by the files below `proc_root`/PID. NotFound: it is gone.
absl::StatusOr<ProcPidStat> ReadProcPidStat(FileSystem& fs,
                                            absl::string_view proc_root,
                                            int64_t pid);
absl::StatusOr<std::vector<ProcCgroup>> ReadProcCgroup(
    FileSystem& fs, absl::string_view proc_root, int64_t pid);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_PROCESS_SCAN_H_
