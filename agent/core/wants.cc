// SPDX-License-Identifier: Apache-2.0
#include "agent/core/wants.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "agent/core/water_fill.h"

namespace fairsched::core {
namespace {

// Waiting: the delay of a wake-up must stay below these, or an ordinary sleeper
// counts as contention; a coarse 10 % costs a half-busy victim a sixth.
constexpr double kWaitingOfUse = 0.003;
constexpr double kWaitingCpus = 0.002;
// Hungry: what is worth demoting somebody for.
constexpr double kHungryOfUse = 0.1;
constexpr double kHungryCpus = 0.02;
// Wanting: use that is no mere housekeeping.
constexpr double kWantingCpus = 0.02;
// Unknown demand: no CPU is idle below this part of the capacity, and a thread
// is out of CPUs to use above this part of one.
constexpr double kSaturatedIdle = 0.02;
constexpr double kThreadBound = 0.95;

// What a user whose demand is unknown could have used.
CpuTime Guess(const TickUser& user, const Tick& tick) {
  const bool saturated = tick.idle < tick.capacity.Scale(kSaturatedIdle);
  if (!saturated || user.use <= CpuTime::Of(kWantingCpus, tick.elapsed))
    return user.use;
  double most = tick.cpus;
  if (user.sample->threads.has_value())
    most = std::min(most, static_cast<double>(*user.sample->threads));
  const CpuTime bound = CpuTime::Of(most, tick.elapsed);
  return user.use >= bound.Scale(kThreadBound) ? user.use : bound;
}

}  // namespace

void JudgeWants(Tick& tick) {
  std::vector<Claim> claims;
  claims.reserve(tick.users.size());
  for (const TickUser& user : tick.users) {
    claims.push_back(
        {.weight = user.shares,
         .demand = user.demand.has_value() ? *user.demand : Guess(user, tick)});
  }
  const std::vector<CpuTime> parts =
      WaterFill(std::max(tick.capacity - tick.unmanaged, CpuTime()), claims);

  const CpuTime one_cpu = CpuTime::Of(1, tick.elapsed);
  for (size_t i = 0; i < tick.users.size(); ++i) {
    TickUser& user = tick.users[i];
    const CpuTime demand = claims[i].demand;
    user.unmet = user.demand.has_value() ? demand - user.use : CpuTime();
    user.missing = demand - std::min(user.use, parts[i]);
    const auto above = [&user, one_cpu](CpuTime lack, double of_use,
                                        double cpus) {
      return lack > std::max(user.use.Scale(of_use), one_cpu.Scale(cpus));
    };
    user.waiting = above(user.missing, kWaitingOfUse, kWaitingCpus);
    user.hungry =
        user.waiting && above(user.missing, kHungryOfUse, kHungryCpus);
    user.wanting = user.waiting || user.use > one_cpu.Scale(kWantingCpus) ||
                   above(user.unmet, kHungryOfUse, kHungryCpus);
  }
}

}  // namespace fairsched::core
