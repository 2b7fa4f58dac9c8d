// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CPU_STAT_H_
#define FAIRSCHED_AGENT_KERNEL_CPU_STAT_H_

#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/core/cpu_time.h"

namespace fairsched::kernel {

// The counters in a cgroup's cpu.stat, one "key value" a line.
// https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files
struct CpuStat {
  core::CpuTime usage;                  // usage_usec
  std::optional<core::CpuTime> user;    // user_usec
  std::optional<core::CpuTime> system;  // system_usec
  // throttled_usec. Unset: not known, as without the cpu controller.
  std::optional<core::CpuTime> throttled;
  friend bool operator==(const CpuStat&, const CpuStat&) = default;
};

// Keys may come in any order, and others beside these. InvalidArgument without
// usage_usec, or where the value of one of these is no count.
absl::StatusOr<CpuStat> ParseCpuStat(absl::string_view text);

// cpuacct.usage: one count of nanoseconds, cut to whole microseconds.
// InvalidArgument if it is not.
absl::StatusOr<core::CpuTime> ParseCpuacctUsage(absl::string_view text);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CPU_STAT_H_
