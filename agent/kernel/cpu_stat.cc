// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cpu_stat.h"

#include <cstdint>

#include "absl/strings/str_split.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/kernel_text.h"

namespace fairsched::kernel {

absl::StatusOr<CpuStat> ParseCpuStat(absl::string_view text) {
  CpuStat result;
  std::optional<core::CpuTime> usage;
  // Read for every cgroup in every tick, so no list of lines is made.
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const size_t blank = line.find(' ');
    const absl::string_view key = line.substr(0, blank);
    std::optional<core::CpuTime>* const value =
        key == "usage_usec"       ? &usage
        : key == "user_usec"      ? &result.user
        : key == "system_usec"    ? &result.system
        : key == "throttled_usec" ? &result.throttled
                                  : nullptr;
    if (value == nullptr) continue;
    ASSIGN_OR_RETURN(const int64_t usec,
                     ParseCount(FirstWord(line.substr(key.size())), key));
    *value = core::CpuTime::Usec(usec);
  }
  if (!usage.has_value())
    return Malformed("cpu.stat", text, "a list with usage_usec");
  result.usage = *usage;
  return result;
}

absl::StatusOr<core::CpuTime> ParseCpuacctUsage(absl::string_view text) {
  ASSIGN_OR_RETURN(const int64_t nsec,
                   ParseCount(FirstWord(text), "cpuacct.usage"));
  return core::CpuTime::Usec(nsec / 1000);
}

}  // namespace fairsched::kernel
