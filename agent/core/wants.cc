// SPDX-License-Identifier: Apache-2.0
#include "agent/core/wants.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "agent/core/demand.h"
#include "agent/core/limits.h"
#include "agent/core/share_tree.h"
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
  const CpuTime bound =
      CpuTime::Of(UsableCpus(user.sample->threads, tick.cpus), tick.elapsed);
  return user.use >= bound.Scale(kThreadBound) ? user.use : bound;
}

}  // namespace

void JudgeWants(Tick& tick) {
  std::vector<TreeClaim> claims;
  claims.reserve(tick.users.size());
  for (TickUser& user : tick.users) {
    const CpuTime demand =
        user.demand.has_value() ? *user.demand : Guess(user, tick);
    user.lack = demand - user.use;
    claims.push_back(
        {.group = user.terms.group,
         .claim = {.weight = user.terms.shares,
                   .demand = WithinLimit(user, demand, tick.elapsed)}});
  }
  const std::vector<CpuTime> parts =
      FillTree(std::max(tick.capacity - tick.unmanaged, CpuTime()),
               tick.elapsed, tick.group_terms, claims, WaterFill);

  const CpuTime one_cpu = CpuTime::Of(1, tick.elapsed);
  for (size_t i = 0; i < tick.users.size(); ++i) {
    TickUser& user = tick.users[i];
    user.unmet = user.demand.has_value() ? user.lack : CpuTime();
    user.missing = user.use + user.lack - std::min(user.use, parts[i]);
    const auto above = [&user, one_cpu](CpuTime lack, double of_use,
                                        double cpus) {
      return lack > std::max(user.use.Scale(of_use), one_cpu.Scale(cpus));
    };
    user.waiting =
        !user.limit_spent && above(user.missing, kWaitingOfUse, kWaitingCpus);
    user.hungry =
        user.waiting && above(user.missing, kHungryOfUse, kHungryCpus);
    user.wanting = user.waiting || user.use > one_cpu.Scale(kWantingCpus) ||
                   above(user.unmet, kHungryOfUse, kHungryCpus);
  }
}

}  // namespace fairsched::core
