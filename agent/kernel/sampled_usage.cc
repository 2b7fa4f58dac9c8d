// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/sampled_usage.h"

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"

namespace fairsched::kernel {

absl::StatusOr<int64_t> ReadUptimeTicks(FileSystem& fs,
                                        absl::string_view proc_root,
                                        int64_t user_hz) {
  ASSIGN_OR_RETURN(const std::string text,
                   fs.Read(absl::StrCat(proc_root, "/uptime")));
  double seconds = 0;
  if (!absl::SimpleAtod(text.substr(0, text.find(' ')), &seconds) ||
      !(seconds >= 0 && seconds < 1e10)) {
    return absl::InvalidArgumentError(
        absl::StrCat("uptime is '", absl::CHexEscape(text),
                     "', not '$SECONDS $IDLE_SECONDS'"));
  }
  return static_cast<int64_t>(seconds * static_cast<double>(user_hz));
}

void SampledUsage::BeginScan(std::optional<int64_t> uptime_ticks) {
  last_uptime_ticks_ = uptime_ticks_;
  uptime_ticks_ = uptime_ticks;
  ++scan_;
}

void SampledUsage::Add(int64_t uid, int64_t pid, const ProcPidStat& stat) {
  ticks_[uid] += NewTicks(pid, stat);
  processes_[pid] = {.start_ticks = stat.start_ticks,
                     .used_ticks = stat.utime_ticks + stat.stime_ticks,
                     .scan = scan_};
}

void SampledUsage::EndScan() {
  absl::erase_if(processes_, [this](const auto& process) {
    return process.second.scan != scan_;
  });
}

core::CpuTime SampledUsage::Of(int64_t uid) const {
  constexpr int64_t kUsecPerSecond = 1000000;
  const auto found = ticks_.find(uid);
  const int64_t ticks = found == ticks_.end() ? 0 : found->second;
  // Whole seconds apart: the product of all ticks could overflow.
  return core::CpuTime::Usec(ticks / user_hz_ * kUsecPerSecond +
                             ticks % user_hz_ * kUsecPerSecond / user_hz_);
}

int64_t SampledUsage::NewTicks(int64_t pid, const ProcPidStat& stat) const {
  const int64_t used = stat.utime_ticks + stat.stime_ticks;
  const auto seen = processes_.find(pid);
  if (seen != processes_.end() &&
      seen->second.start_ticks == stat.start_ticks) {
    return std::max<int64_t>(used - seen->second.used_ticks, 0);
  }
  const bool is_new =
      last_uptime_ticks_.has_value() && stat.start_ticks >= *last_uptime_ticks_;
  return is_new ? used : 0;
}

}  // namespace fairsched::kernel
