// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_RECENT_USE_H_
#define FAIRSCHED_AGENT_CORE_RECENT_USE_H_

#include <array>
#include <cstddef>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"

namespace fairsched::core {

// What was used over the last second or little more: as many of the last ticks
// as make up kSpan, at most kTicks (the shortest tick is 50 ms).
class RecentUse {
 public:
  static constexpr absl::Duration kSpan = absl::Seconds(1);

  void Add(absl::Duration elapsed, CpuTime use) {
    while (count_ > 0 &&
           (count_ == kTicks || span_ - First().elapsed + elapsed >= kSpan)) {
      span_ -= First().elapsed;
      use_ -= First().use;
      --count_;
    }
    ticks_[added_ % kTicks] = {elapsed, use};
    ++added_;
    ++count_;
    span_ += elapsed;
    use_ += use;
  }

  absl::Duration span() const { return span_; }
  // CPUs kept busy over span(); 0 before the first Add().
  double Cpus() const { return count_ == 0 ? 0.0 : use_.Cpus(span_); }
  // Whether all of a second is known.
  bool Full() const { return span_ >= kSpan * 0.9; }

 private:
  static constexpr size_t kTicks = 24;
  struct Entry {
    absl::Duration elapsed;
    CpuTime use;
  };
  const Entry& First() const { return ticks_[(added_ - count_) % kTicks]; }

  std::array<Entry, kTicks> ticks_;
  size_t added_ = 0, count_ = 0;
  absl::Duration span_;
  CpuTime use_;
};

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_RECENT_USE_H_
