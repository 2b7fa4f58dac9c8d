// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_PRESSURE_H_
#define FAIRSCHED_AGENT_KERNEL_PRESSURE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/core/cpu_time.h"

namespace fairsched::kernel {

// The total of the "some" line of cpu.pressure: a counter of the time in which
// at least one task of the cgroup was kept waiting for a CPU. InvalidArgument
// without that line, or without a count in it.
// https://docs.kernel.org/accounting/psi.html
absl::StatusOr<core::CpuTime> ParsePressureSome(absl::string_view text);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_PRESSURE_H_
