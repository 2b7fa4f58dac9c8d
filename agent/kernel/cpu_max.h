// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CPU_MAX_H_
#define FAIRSCHED_AGENT_KERNEL_CPU_MAX_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "agent/core/cpu_time.h"

namespace fairsched::kernel {

// A ceiling in the kernel: so much CPU time in every period.
// https://docs.kernel.org/scheduler/sched-bwc.html
struct CpuMax {
  std::optional<core::CpuTime> quota;  // unset: no ceiling
  absl::Duration period = absl::Milliseconds(100);
  friend bool operator==(const CpuMax&, const CpuMax&) = default;
};

// cpu.max: "$QUOTA $PERIOD" in microseconds, the first a number or "max".
// Fields beyond these are let pass. InvalidArgument for any other form; the
// ranges are the kernel's matter.
absl::StatusOr<CpuMax> ParseCpuMax(absl::string_view text);
// The inverse of ParseCpuMax().
std::string FormatCpuMax(const CpuMax& value);

// The same of v1, from cpu.cfs_quota_us (-1: no ceiling) and cpu.cfs_period_us.
absl::StatusOr<CpuMax> ParseCfsBandwidth(absl::string_view quota_us,
                                         absl::string_view period_us);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CPU_MAX_H_
