// SPDX-License-Identifier: Apache-2.0
#include "agent/core/auto_window.h"

#include <algorithm>
#include <cmath>

namespace fairsched::core {
namespace {

constexpr absl::Duration kWantedWithin = absl::Seconds(10);
constexpr absl::Duration kShrinkEvery = absl::Seconds(10);
constexpr double kIgnored = 0.25;
constexpr int kLeastTicksPerWindow = 10;

// Ten ticks are twice what any user can use of its share in five.
absl::Duration Least(const Settings& settings) {
  return std::min(
      settings.auto_window.max,
      std::max(settings.auto_window.min, settings.tick * kLeastTicksPerWindow));
}

absl::Duration Needed(const Settings& settings, const Tick& tick) {
  absl::Duration needed = Least(settings);
  for (const TickUser& user : tick.users) {
    const Ledger& ledger = *user.ledger;
    if (tick.at - ledger.wanted_at > kWantedWithin || ledger.part <= 0)
      continue;
    needed =
        std::max(needed, absl::Seconds(settings.auto_window.quantum.seconds() /
                                       (ledger.part * tick.cpus)));
  }
  return std::min(needed, settings.auto_window.max);
}

}  // namespace

absl::Duration NextWindow(const Policy& policy, const Tick& tick,
                          State& state) {
  const Settings& settings = policy.settings();
  if (settings.window > absl::ZeroDuration()) return settings.window;
  const absl::Duration now =
      std::clamp(state.window, Least(settings), settings.auto_window.max);
  const absl::Duration needed = Needed(settings, tick);
  if (std::abs(absl::FDivDuration(needed, now) - 1) < kIgnored) return now;
  if (needed > now) return needed;
  if (tick.at - state.window_shrunk_at < kShrinkEvery) return now;
  state.window_shrunk_at = tick.at;
  return std::max(needed, now / 2);
}

}  // namespace fairsched::core
