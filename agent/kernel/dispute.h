// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_DISPUTE_H_
#define FAIRSCHED_AGENT_KERNEL_DISPUTE_H_

#include <cstddef>
#include <deque>

#include "absl/time/time.h"

namespace fairsched::kernel {

// How often a cgroup's values had to be put back because another writer had
// changed them. Two that put theirs back as fast as they can would write for
// ever, and neither would know: so it slows down, and says so.
//
// Times are monotonic and never go back.
class Dispute {
 public:
  // More often than this in kMemory is no accident.
  static constexpr size_t kMaxForced = 5;
  static constexpr absl::Duration kMemory = absl::Minutes(1);
  // Between two tries then: often enough to show in kMemory that it goes on.
  static constexpr absl::Duration kSlowPace = absl::Seconds(5);

  // The values were put back at `at`.
  void Forced(absl::Duration at);
  // It happened in the last kMemory: worth a look in every tick.
  bool Recent(absl::Duration at) const;
  // Another writer keeps changing the values.
  bool Lost(absl::Duration at) const;
  // Whether they may be put back now.
  bool MayForce(absl::Duration at) const;

 private:
  std::deque<absl::Duration> forced_;  // the last kMaxForced + 1 times
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_DISPUTE_H_
