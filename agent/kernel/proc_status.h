// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_PROC_STATUS_H_
#define FAIRSCHED_AGENT_KERNEL_PROC_STATUS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// What /proc/PID/status says of a process.
struct ProcStatus {
  std::string name;  // as the kernel shows it: newlines and '\' escaped
  char state = '?';  // 'R', 'S', ..., 'Z' for a zombie
  int64_t tgid = 0;
  int64_t ppid = 0;
  int64_t ruid = 0;  // the real uid
  int64_t threads = 0;
  std::optional<bool> kthread;  // a kernel thread; unset before Linux 6.8
};

// InvalidArgument, naming the line, where one of Name, State, Tgid, PPid, Uid
// and Threads is missing or malformed. A key's first line counts: the name of
// a process, which its owner chooses, is one line and can't forge another.
absl::StatusOr<ProcStatus> ParseProcStatus(absl::string_view text);

// The uid that a login left in /proc/PID/loginuid; nullopt: there was none.
// InvalidArgument for what is no uid.
absl::StatusOr<std::optional<int64_t>> ParseLoginUid(absl::string_view text);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_PROC_STATUS_H_
