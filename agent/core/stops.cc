// SPDX-License-Identifier: Apache-2.0
#include "agent/core/stops.h"

#include <algorithm>

namespace fairsched::core {
namespace {

// What the change of hands itself idles, as a part of the node.
constexpr double kUsualIdle = 0.01;
// So much more is no accident: /proc/stat counts by 10 ms.
constexpr CpuTime kWaste = CpuTime::Msec(50);
constexpr absl::Duration kLeastPause = absl::Seconds(2);
constexpr absl::Duration kMostPause = absl::Seconds(64);
// Attempts that went well for so long make the next pause the least again.
constexpr absl::Duration kForgiven = absl::Minutes(1);
// What idles while nobody is stopped is the mean over about so long.
constexpr absl::Duration kIdleOver = absl::Seconds(1);

void Pause(absl::Duration at, StopRecord& record) {
  const bool again = at < record.paused_until + kForgiven;
  record.pause = again ? std::min(record.pause * 2, kMostPause) : kLeastPause;
  record.paused_until = at + record.pause;
  record.wasted = CpuTime();
}

}  // namespace

void JudgeStops(const Tick& tick, State& state) {
  if (tick.elapsed <= absl::ZeroDuration()) return;
  const CpuTime expected =
      CpuTime::Of(state.idle_cpus + kUsualIdle * tick.cpus, tick.elapsed);
  bool any = false;
  for (const TickUser& user : tick.users) {
    StopRecord& record = user.ledger->stops;
    if (!record.since_tick) continue;
    any = true;
    record.since_tick = false;
    record.wasted = std::max(record.wasted + tick.idle - expected, CpuTime());
    if (record.wasted >= kWaste) Pause(tick.at, record);
  }
  if (any) return;
  const double part =
      std::min(1.0, absl::FDivDuration(tick.elapsed, kIdleOver));
  state.idle_cpus += part * (tick.idle.Cpus(tick.elapsed) - state.idle_cpus);
}

bool MayBeStopped(const Ledger& ledger, absl::Duration at) {
  return at >= ledger.stops.paused_until;
}

}  // namespace fairsched::core
