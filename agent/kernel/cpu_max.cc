// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cpu_max.h"

#include <cstdint>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/kernel_text.h"

namespace fairsched::kernel {
namespace {

// A number of microseconds above 0.
bool ParseUsec(absl::string_view word, int64_t* usec) {
  return absl::SimpleAtoi(word, usec) && *usec > 0;
}

}  // namespace

absl::StatusOr<CpuMax> ParseCpuMax(absl::string_view text) {
  const std::vector<absl::string_view> words = Words(text);
  int64_t quota_usec = 0;
  int64_t period_usec = 0;
  if (words.size() < 2 ||
      (words[0] != "max" && !ParseUsec(words[0], &quota_usec)) ||
      !ParseUsec(words[1], &period_usec)) {
    return Malformed("cpu.max", text, "'$QUOTA $PERIOD'");
  }
  CpuMax result{.quota = std::nullopt,
                .period = absl::Microseconds(period_usec)};
  if (words[0] != "max") result.quota = core::CpuTime::Usec(quota_usec);
  return result;
}

std::string FormatCpuMax(const CpuMax& value) {
  const int64_t period_usec = absl::ToInt64Microseconds(value.period);
  if (!value.quota.has_value()) return absl::StrCat("max ", period_usec);
  return absl::StrCat(value.quota->usec(), " ", period_usec);
}

absl::StatusOr<CpuMax> ParseCfsBandwidth(absl::string_view quota_us,
                                         absl::string_view period_us) {
  const std::vector<absl::string_view> quota = Words(quota_us);
  const std::vector<absl::string_view> period = Words(period_us);
  int64_t quota_usec = 0;
  int64_t period_usec = 0;
  if (quota.empty() || (quota[0] != "-1" && !ParseUsec(quota[0], &quota_usec)))
    return Malformed("cpu.cfs_quota_us", quota_us, "-1 or a number");
  if (period.empty() || !ParseUsec(period[0], &period_usec))
    return Malformed("cpu.cfs_period_us", period_us, "a number above 0");
  CpuMax result{.quota = std::nullopt,
                .period = absl::Microseconds(period_usec)};
  if (quota[0] != "-1") result.quota = core::CpuTime::Usec(quota_usec);
  return result;
}

}  // namespace fairsched::kernel
