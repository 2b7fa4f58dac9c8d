// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CPU_WEIGHT_H_
#define FAIRSCHED_AGENT_KERNEL_CPU_WEIGHT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// The range and default of cpu.weight, and so of every weight in the agent.
inline constexpr int32_t kMinWeight = 1;
inline constexpr int32_t kMaxWeight = 10000;
inline constexpr int32_t kDefaultWeight = 100;

// cpu.weight: one number. Unset for 0, which says that the cgroup is idle and
// its weight forgotten. InvalidArgument for what is not in 0..10000.
absl::StatusOr<std::optional<int32_t>> ParseCpuWeight(absl::string_view text);

// cpu.shares of v1, as the weight nearest to it, in range. An idle cgroup reads
// like one of weight 1: look at cpu.idle. InvalidArgument if it is no number.
absl::StatusOr<int32_t> ParseCpuShares(absl::string_view text);

// cpu.idle: 0 or 1. InvalidArgument for anything else.
absl::StatusOr<bool> ParseCpuIdle(absl::string_view text);

// What to write for `weight`, in kMinWeight..kMaxWeight; each is the inverse of
// the parser above. 1024 shares are as much as a weight of 100.
std::string FormatCpuWeight(int32_t weight);
std::string FormatCpuShares(int32_t weight);
std::string FormatCpuIdle(bool idle);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CPU_WEIGHT_H_
