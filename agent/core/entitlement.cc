// SPDX-License-Identifier: Apache-2.0
#include "agent/core/entitlement.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "agent/core/water_fill.h"

namespace fairsched::core {
namespace {

constexpr absl::Duration kActiveFor = absl::Seconds(1);
constexpr double kLeastOfShare = 0.01;

void SetEntitlement(Ledger& ledger, CpuTime entitlement, double part,
                    int32_t shares) {
  ledger.balance = ledger.entitlement > CpuTime()
                       ? ledger.balance.Scale(entitlement / ledger.entitlement)
                       : entitlement;
  ledger.entitlement = entitlement;
  ledger.part = part;
  ledger.shares = shares;
}

}  // namespace

bool UpdateActive(Tick& tick, State& state) {
  bool changed = false;
  size_t active_users = 0;
  for (TickUser& user : tick.users) {
    Ledger& ledger = *user.ledger;
    if (user.wanting) ledger.wanted_at = tick.at;
    user.woke = user.wanting && !ledger.active;
    const bool active = tick.at - ledger.wanted_at < kActiveFor;
    changed |= active != ledger.active || ledger.entitlement <= CpuTime() ||
               (active && ledger.shares != user.shares);
    ledger.active = active;
    active_users += active ? 1 : 0;
  }
  // Who is gone altogether shows only in the count.
  changed |= active_users != state.active_users;
  state.active_users = active_users;
  return changed;
}

void Entitle(Tick& tick, const State& state) {
  const CpuTime node = CpuTime::Of(tick.cpus, state.window);
  const CpuTime pool =
      std::max(node - CpuTime::Of(state.forecast_cpus, state.window),
               node.Scale(kLeastOfShare));
  std::vector<Claim> claims;
  int64_t active_shares = 0;
  for (const TickUser& user : tick.users) {
    if (!user.ledger->active) continue;
    claims.push_back({.weight = user.shares, .demand = pool});
    active_shares += user.shares;
  }
  const std::vector<CpuTime> grants = WaterFill(pool, claims);
  size_t next = 0;
  for (TickUser& user : tick.users) {
    const bool active = user.ledger->active;
    const double part =
        static_cast<double>(user.shares) /
        static_cast<double>(active ? active_shares
                                   : active_shares + user.shares);
    const CpuTime due = active ? grants[next++] : pool.Scale(part);
    const CpuTime least =
        std::max(node.Scale(part * kLeastOfShare), CpuTime::Usec(1));
    SetEntitlement(*user.ledger, std::max(due, least), part, user.shares);
  }
}

}  // namespace fairsched::core
