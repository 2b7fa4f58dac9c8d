// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_SAMPLED_USAGE_H_
#define FAIRSCHED_AGENT_KERNEL_SAMPLED_USAGE_H_

#include <cstdint>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/core/cpu_time.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/proc_pid_stat.h"

namespace fairsched::kernel {

// The time since boot, in ticks of `user_hz` rounded down, as in the start time
// of a process.
absl::StatusOr<int64_t> ReadUptimeTicks(FileSystem& fs,
                                        absl::string_view proc_root,
                                        int64_t user_hz);

// The CPU time of uids, added up from what their processes have used between
// scans. Counts from the first scan on; a process that started since the scan
// before counts whole; what a process uses after the last scan that sees it is
// missed. The counters never go back, and stay when a uid's last process ends,
// so this grows with the number of uids ever seen. Not thread-safe.
class SampledUsage {
 public:
  explicit SampledUsage(int64_t user_hz) : user_hz_(user_hz) {}

  // `uptime_ticks`: at its beginning; nullopt if unknown: then what is seen for
  // the first time counts from there.
  void BeginScan(std::optional<int64_t> uptime_ticks);
  // Once per process and scan. The time since the scan before goes to `uid`.
  void Add(int64_t uid, int64_t pid, const ProcPidStat& stat);
  // Forgets the processes that this scan did not add.
  void EndScan();

  core::CpuTime Of(int64_t uid) const;

 private:
  struct Seen {
    int64_t start_ticks = 0;
    int64_t used_ticks = 0;
    uint64_t scan = 0;
  };
  int64_t NewTicks(int64_t pid, const ProcPidStat& stat) const;

  const int64_t user_hz_;
  uint64_t scan_ = 0;                         // the number of this scan
  std::optional<int64_t> last_uptime_ticks_;  // of the scan before
  std::optional<int64_t> uptime_ticks_;
  absl::flat_hash_map<int64_t, Seen> processes_;  // by pid
  absl::flat_hash_map<int64_t, int64_t> ticks_;   // by uid
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_SAMPLED_USAGE_H_
