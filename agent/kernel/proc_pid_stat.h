// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_PROC_PID_STAT_H_
#define FAIRSCHED_AGENT_KERNEL_PROC_PID_STAT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// What /proc/PID/stat says of a process. Ticks are of USER_HZ.
struct ProcPidStat {
  std::string comm;
  int64_t ppid = 0;
  int64_t utime_ticks = 0;  // of all its threads, the dead ones too
  int64_t stime_ticks = 0;
  // Since boot. With the pid it names a process for as long as the node is up.
  int64_t start_ticks = 0;
};

// InvalidArgument, with the text, for anything else than the kernel's form. A
// comm may hold spaces, ')' and newlines.
absl::StatusOr<ProcPidStat> ParseProcPidStat(absl::string_view text);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_PROC_PID_STAT_H_
