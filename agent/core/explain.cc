// SPDX-License-Identifier: Apache-2.0
#include "agent/core/explain.h"

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace fairsched::core {
namespace {

// An exempt user's cgroup beside others.
constexpr int32_t kExemptWeight = 10000;

UserState StateOf(const TickUser& user) {
  if (user.exempt) return UserState::kExempt;
  if (user.ledger->demoted) return UserState::kHeld;
  if (!user.ledger->active) return UserState::kQuiet;
  return user.spent ? UserState::kSpent : UserState::kRunning;
}

std::string Seconds(CpuTime time) {
  return absl::StrFormat("%.2f s", time.seconds());
}

Reason SpentReason(const Policy& policy, const Tick& tick, const State& state,
                   const TickUser& user) {
  const Ledger& ledger = *user.ledger;
  const absl::Duration left = std::max(
      state.window - (tick.at - state.window_start), absl::ZeroDuration());
  const std::string figures = absl::StrFormat(
      "spent: %s over its %s, window ends in %.1f s", Seconds(-ledger.balance),
      Seconds(ledger.entitlement), absl::ToDoubleSeconds(left));
  if (ledger.lifted) {
    return {ReasonCode::kFloor,
            absl::StrCat(figures, "; lifted for a tick to its floor")};
  }
  if (ledger.demoted) {
    const bool observing = policy.settings().mode == Mode::kObserve;
    return {
        ReasonCode::kSpentOthersStarve,
        absl::StrCat(observing ? "observe: would be demoted; " : "", figures)};
  }
  bool others_want = false;
  for (const TickUser& other : tick.users)
    others_want |= &other != &user && other.wanting;
  return {others_want ? ReasonCode::kSpentUncontended : ReasonCode::kSpentAlone,
          absl::StrCat(figures, others_want ? "; nobody starves"
                                            : "; nobody else wants CPU")};
}

Reason ReasonOf(const Policy& policy, const Tick& tick, const State& state,
                const TickUser& user) {
  if (user.exempt)
    return {ReasonCode::kExempt, "exempt: accounted, never throttled"};
  const Ledger& ledger = *user.ledger;
  if (!ledger.active) return {ReasonCode::kQuiet, "wants no CPU"};
  if (user.spent) return SpentReason(policy, tick, state, user);
  return {ReasonCode::kHasTokens,
          absl::StrCat("has ", Seconds(ledger.balance), " of its ",
                       Seconds(ledger.entitlement))};
}

CpuValues Wanted(const TickUser& user) {
  if (user.exempt) return {.weight = kExemptWeight, .idle = false};
  const Ledger& ledger = *user.ledger;
  return {.weight = static_cast<int32_t>(std::lround(ledger.weight)),
          .idle = ledger.demoted && !ledger.lifted};
}

}  // namespace

UserDecision Describe(const Policy& policy, const Tick& tick,
                      const State& state, const TickUser& user) {
  const Ledger& ledger = *user.ledger;
  UserDecision out{.id = user.sample->id,
                   .state = StateOf(user),
                   .reason = ReasonOf(policy, tick, state, user),
                   .shares = user.shares,
                   .sampled = user.sample->sampled,
                   .cpus = ledger.recent.Cpus(),
                   .balance = ledger.balance,
                   .entitlement = ledger.entitlement,
                   .used = ledger.used,
                   .surplus = ledger.surplus,
                   .held = ledger.held,
                   .totals = ledger.totals,
                   .threads = user.sample->threads,
                   .processes = user.sample->processes};
  out.entitlement_cpus = ledger.entitlement.Cpus(state.window);
  if (user.demand.has_value() && tick.elapsed > absl::ZeroDuration())
    out.demand_cpus = user.demand->Cpus(tick.elapsed);
  for (const CgroupSample& cgroup : user.sample->cgroups)
    out.cgroups.push_back({.inode = cgroup.inode, .wanted = Wanted(user)});
  return out;
}

}  // namespace fairsched::core
