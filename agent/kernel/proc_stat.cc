// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/proc_stat.h"

#include <array>
#include <cstdint>
#include <vector>

#include "absl/strings/str_split.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/kernel_text.h"

namespace fairsched::kernel {
namespace {

// Whatever the kernel's own HZ is, it tells user space hundredths of a second.
constexpr int64_t kUsecPerTick = 10000;

// The order of the fields after the word "cpu". What follows them, guest time,
// is in kUser and kNice already.
enum Field : size_t {
  kUser,
  kNice,
  kSystem,
  kIdle,
  kIoWait,
  kIrq,
  kSoftIrq,
  kSteal,
  kFields
};

}  // namespace

absl::StatusOr<ProcStat> ParseProcStat(absl::string_view text) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> words = Words(line);
    if (words.size() <= kFields || words[0] != "cpu") continue;
    std::array<core::CpuTime, kFields> times;
    for (size_t i = 0; i < kFields; ++i) {
      ASSIGN_OR_RETURN(const int64_t ticks,
                       ParseCount(words[i + 1], "a field of /proc/stat"));
      times[i] = core::CpuTime::Usec(ticks * kUsecPerTick);
    }
    return ProcStat{.busy = times[kUser] + times[kNice] + times[kSystem] +
                            times[kIrq] + times[kSoftIrq],
                    .hypervisor_steal = times[kSteal]};
  }
  return Malformed("/proc/stat", text, "a list with 'cpu' and 8 numbers");
}

}  // namespace fairsched::kernel
