// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cpu_weight.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/kernel_text.h"

namespace fairsched::kernel {
namespace {

// The shares and the weight that every cgroup starts with.
constexpr int64_t kDefaultShares = 1024;
// The most that the kernel keeps of shares.
constexpr int64_t kMaxShares = 262144;

}  // namespace

absl::StatusOr<std::optional<int32_t>> ParseCpuWeight(absl::string_view text) {
  ASSIGN_OR_RETURN(const int64_t weight,
                   ParseCount(FirstWord(text), "cpu.weight"));
  if (weight > kMaxWeight) return Malformed("cpu.weight", text, "in 0..10000");
  if (weight == 0) return std::optional<int32_t>();
  return std::optional<int32_t>(static_cast<int32_t>(weight));
}

absl::StatusOr<int32_t> ParseCpuShares(absl::string_view text) {
  ASSIGN_OR_RETURN(const int64_t count,
                   ParseCount(FirstWord(text), "cpu.shares"));
  const int64_t shares = std::min(count, kMaxShares);
  const int64_t weight =
      (shares * kDefaultWeight + kDefaultShares / 2) / kDefaultShares;
  return static_cast<int32_t>(
      std::clamp<int64_t>(weight, kMinWeight, kMaxWeight));
}

absl::StatusOr<bool> ParseCpuIdle(absl::string_view text) {
  ASSIGN_OR_RETURN(const int64_t idle, ParseCount(FirstWord(text), "cpu.idle"));
  if (idle > 1) return Malformed("cpu.idle", text, "0 or 1");
  return idle == 1;
}

std::string FormatCpuWeight(int32_t weight) { return absl::StrCat(weight); }

std::string FormatCpuShares(int32_t weight) {
  return absl::StrCat((weight * kDefaultShares + kDefaultWeight / 2) /
                      kDefaultWeight);
}

std::string FormatCpuIdle(bool idle) { return idle ? "1" : "0"; }

}  // namespace fairsched::kernel
