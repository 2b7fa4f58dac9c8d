// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_PLACER_H_
#define FAIRSCHED_AGENT_KERNEL_PLACER_H_

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "agent/core/policy.h"
#include "agent/runtime/node.h"

namespace fairsched::kernel {

// A scan takes at most one in fifty of a CPU's time, and is made twice a second
// where that is less. Where it takes long because the node is busy, it is made
// every few seconds all the same.
struct ScanPace {
  static constexpr absl::Duration kShortestInterval = absl::Milliseconds(500);
  static constexpr absl::Duration kLongestInterval = absl::Seconds(5);
  static constexpr int64_t kIntervalPerScanTime = 50;

  // From the end of a scan that took `scan_time` to the next.
  static absl::Duration IntervalAfter(absl::Duration scan_time) {
    return std::clamp(kIntervalPerScanTime * scan_time, kShortestInterval,
                      kLongestInterval);
  }
  // How long after a scan that was brought forward no other is: for a tenth of
  // a CPU's time at most, and not twice within a tick.
  static absl::Duration RestAfter(absl::Duration scan_time) {
    constexpr absl::Duration kShortestRest = absl::Milliseconds(100);
    constexpr int64_t kRestPerScanTime = 10;
    return kShortestRest + kRestPerScanTime * scan_time;
  }
};

// Finds out, in a thread of its own, which cgroup is whose.
//
// Thread-safe, but Round(), Start() and Stop() are one thread's, and no Round()
// between the last two.
class Placer : public runtime::Placement {
 public:
  // One scan and what follows from it, whatever part of it fails. OK, or the
  // first error, which is in the report, too.
  virtual absl::Status Round() = 0;

  // Rounds in a thread of its own, the first one after an interval.
  virtual void Start() = 0;
  // Ends the thread and undoes what the rounds did. Unavailable: something is
  // left, for ReleaseFromJournal(). Idempotent.
  virtual absl::Status Stop() = 0;

  // Brings the next round forward: somebody may have come. Returns how long it
  // is of no use to ask again.
  virtual absl::Duration Hurry() = 0;

  // Holds from the next round on.
  virtual void SetPolicy(std::shared_ptr<const core::Policy> policy) = 0;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_PLACER_H_
