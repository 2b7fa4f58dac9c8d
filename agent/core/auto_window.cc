// SPDX-License-Identifier: Apache-2.0
#include "agent/core/auto_window.h"

#include <algorithm>
#include <cmath>

#include "agent/core/demand.h"

namespace fairsched::core {
namespace {

constexpr absl::Duration kWantedWithin = absl::Seconds(10);
constexpr absl::Duration kShrinkEvery = absl::Seconds(10);
constexpr double kIgnored = 0.25;
constexpr int kTicksOfUse = 5;

absl::Duration Needed(const Settings& settings, const Tick& tick) {
  absl::Duration needed = settings.auto_window.min;
  for (const TickUser& user : tick.users) {
    const Ledger& ledger = *user.ledger;
    if (tick.at - ledger.wanted_at > kWantedWithin || ledger.part <= 0)
      continue;
    const double places = UsableCpus(user.sample->threads, tick.cpus);
    const CpuTime due = std::max(
        settings.auto_window.quantum,
        CpuTime::Of(places * ledger.part, settings.tick * kTicksOfUse));
    needed = std::max(needed,
                      absl::Seconds(due.seconds() / (ledger.part * tick.cpus)));
  }
  return std::min(needed, settings.auto_window.max);
}

}  // namespace

absl::Duration NextWindow(const Policy& policy, const Tick& tick,
                          State& state) {
  const Settings& settings = policy.settings();
  if (settings.window > absl::ZeroDuration()) return settings.window;
  const absl::Duration now = std::clamp(state.window, settings.auto_window.min,
                                        settings.auto_window.max);
  const absl::Duration needed = Needed(settings, tick);
  if (std::abs(absl::FDivDuration(needed, now) - 1) < kIgnored) return now;
  if (needed > now) return needed;
  if (tick.at - state.window_shrunk_at < kShrinkEvery) return now;
  state.window_shrunk_at = tick.at;
  return std::max(needed, now / 2);
}

}  // namespace fairsched::core
