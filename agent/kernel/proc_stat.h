// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_PROC_STAT_H_
#define FAIRSCHED_AGENT_KERNEL_PROC_STAT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/core/cpu_time.h"

namespace fairsched::kernel {

// Counters of the whole node, from the line "cpu" of /proc/stat, in steps of
// 10 ms.
struct ProcStat {
  core::CpuTime busy;              // used by anything on this node
  core::CpuTime hypervisor_steal;  // taken by other guests of the host
  friend bool operator==(const ProcStat&, const ProcStat&) = default;
};

// InvalidArgument without such a line, or with less than the eight fields that
// kernels since 2.6.11 have.
absl::StatusOr<ProcStat> ParseProcStat(absl::string_view text);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_PROC_STAT_H_
