// SPDX-License-Identifier: Apache-2.0
#include "agent/core/long_interval.h"

#include <algorithm>

#include "agent/core/ceiling.h"

namespace fairsched::core {
namespace {

constexpr Ceiling kUsedUp = {.quota = kLeastQuota, .period = kMostPeriod};
// The last quota is of what can be used in so many ticks.
constexpr int kTicksAhead = 2;
constexpr absl::Duration kRounding = absl::Milliseconds(1);

}  // namespace

Ceiling KeepLongInterval(const LongTerms& terms, absl::Duration at, CpuTime use,
                         const std::optional<Ceiling>& now,
                         LongInterval& state) {
  const CpuTime all = CpuTime::Of(terms.cpus, terms.interval);
  state.left -= use;
  const bool begins = at - state.began >= terms.interval - kRounding;
  if (begins) {
    const bool follows = at - state.began < terms.interval * 2;
    state.began = follows ? state.began + terms.interval : at;
    state.left = std::clamp(state.left, -all, terms.burst) + all;
  }
  state.used_up = state.left < kLeastQuota;
  if (state.used_up) return kUsedUp;
  const CpuTime ahead = CpuTime::Of(terms.node_cpus, terms.tick * kTicksAhead);
  const bool is_open = !begins && now.has_value() &&
                       now->period == kMostPeriod && *now != kUsedUp;
  if (is_open && (state.left > ahead || now->quota <= ahead)) return *now;
  return {.quota = state.left, .period = kMostPeriod};
}

}  // namespace fairsched::core
