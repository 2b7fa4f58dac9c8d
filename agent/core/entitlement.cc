// SPDX-License-Identifier: Apache-2.0
#include "agent/core/entitlement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "agent/core/limits.h"
#include "agent/core/share_tree.h"
#include "agent/core/water_fill.h"

namespace fairsched::core {
namespace {

constexpr absl::Duration kActiveFor = absl::Seconds(1);
constexpr double kLeastOfShare = 0.01;
// A limit that is missed by the dust of a forecast binds all the same.
constexpr double kBoundOfLimit = 0.999;

// A member of a group that was not hungry for a second claims no more than it
// uses, and some room, so that what it leaves goes to its group. In the root it
// goes to all the others by their entitlements anyway.
constexpr double kModestRoom = 1.1;
constexpr double kModestLeastCpus = 0.02;
constexpr double kModestChange = 0.2;

std::optional<double> ModestCpus(const TickUser& user, const Tick& tick) {
  const Ledger& ledger = *user.ledger;
  if (user.terms.group == 0 || !ledger.active || !ledger.recent.Full() ||
      tick.at - ledger.hungry_at < kActiveFor) {
    return std::nullopt;
  }
  return std::max(ledger.recent.Cpus() * kModestRoom, kModestLeastCpus);
}

// True if that changed, beyond a little.
bool UpdateModest(TickUser& user, const Tick& tick) {
  Ledger& ledger = *user.ledger;
  const std::optional<double> now = ModestCpus(user, tick);
  if (now.has_value() == ledger.modest_cpus.has_value() &&
      (!now || std::abs(*now / *ledger.modest_cpus - 1) <= kModestChange)) {
    return false;
  }
  ledger.modest_cpus = now;
  return true;
}

// What the active claim. `modestly`: those that are modest, no more than that.
std::vector<TreeClaim> Claims(const Tick& tick, CpuTime pool,
                              absl::Duration window, bool modestly) {
  std::vector<TreeClaim> claims;
  claims.reserve(tick.users.size());
  for (const TickUser& user : tick.users) {
    const Ledger& ledger = *user.ledger;
    if (!ledger.active) continue;
    CpuTime most = WithinLimit(user, pool, window);
    if (modestly && ledger.modest_cpus.has_value())
      most = std::min(most, CpuTime::Of(*ledger.modest_cpus, window));
    claims.push_back({.group = user.terms.group,
                      .claim = {.weight = user.terms.shares, .demand = most}});
  }
  return claims;
}

void SetEntitlement(TickUser& user, CpuTime entitlement, double part,
                    absl::Duration window) {
  Ledger& ledger = *user.ledger;
  ledger.balance = ledger.entitlement > CpuTime()
                       ? ledger.balance.Scale(entitlement / ledger.entitlement)
                       : entitlement;
  ledger.entitlement = entitlement;
  ledger.part = part;
  ledger.shares = user.terms.shares;
  ledger.group = user.terms.group;
  ledger.limit_cpus = user.terms.limit_cpus;
  ledger.bound =
      user.terms.limit == Limit::Kind::kCpus &&
      entitlement >= CpuTime::Of(user.terms.limit_cpus * kBoundOfLimit, window);
}

// What its entitlement was made with.
bool TermsChanged(const TickUser& user) {
  return user.ledger->shares != user.terms.shares ||
         user.ledger->group != user.terms.group ||
         user.ledger->limit_cpus != user.terms.limit_cpus;
}

}  // namespace

bool UpdateActive(Tick& tick, State& state) {
  bool changed = !std::ranges::equal(state.groups, tick.group_terms);
  if (changed)
    state.groups.assign(tick.group_terms.begin(), tick.group_terms.end());
  size_t active_users = 0;
  for (TickUser& user : tick.users) {
    Ledger& ledger = *user.ledger;
    if (user.wanting) ledger.wanted_at = tick.at;
    user.woke = user.wanting && !ledger.active;
    const bool active = tick.at - ledger.wanted_at < kActiveFor;
    changed |= active != ledger.active || ledger.entitlement <= CpuTime() ||
               (active && TermsChanged(user));
    ledger.active = active;
    if (user.hungry) ledger.hungry_at = tick.at;
    changed |= UpdateModest(user, tick);
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
  const auto fill = [&](bool modestly) {
    return FillTree(pool, state.window, tick.group_terms,
                    Claims(tick, pool, state.window, modestly), WaterFill);
  };
  const std::vector<CpuTime> full = fill(/*modestly=*/false);
  // What the modest leave is the others'; they may have their own any time.
  const bool some_modest = std::ranges::any_of(
      tick.users,
      [](const TickUser& u) { return u.ledger->modest_cpus.has_value(); });
  const std::vector<CpuTime> rest = some_modest ? fill(true) : full;
  const std::vector<double> parts = PartsOf(tick.group_terms, tick.users);
  size_t next = 0;
  for (size_t i = 0; i < tick.users.size(); ++i) {
    TickUser& user = tick.users[i];
    const CpuTime due =
        user.ledger->active
            ? (user.ledger->modest_cpus.has_value() ? full : rest)[next++]
            : std::min(pool.Scale(parts[i]),
                       WithinLimit(user, pool, state.window));
    const CpuTime least =
        std::max(node.Scale(parts[i] * kLeastOfShare), CpuTime::Usec(1));
    SetEntitlement(user, std::max(due, least), parts[i], state.window);
  }
}

}  // namespace fairsched::core
