// SPDX-License-Identifier: Apache-2.0
#include "agent/core/engine.h"

#include <algorithm>
#include <cstddef>

#include "agent/core/accounting.h"
#include "agent/core/auto_window.h"
#include "agent/core/ceiling.h"
#include "agent/core/entitlement.h"
#include "agent/core/explain.h"
#include "agent/core/fairness.h"
#include "agent/core/group_ceilings.h"
#include "agent/core/groups.h"
#include "agent/core/limits.h"
#include "agent/core/parts.h"
#include "agent/core/tick.h"
#include "agent/core/wants.h"
#include "agent/core/weights.h"
#include "agent/core/window.h"
#include "agent/core/yield.h"

namespace fairsched::core {
namespace {

// The use of what is not managed is forecast by its mean over this long.
constexpr absl::Duration kForecastOver = absl::Seconds(10);

// Of its ceiling, over the last second: it is at it.
constexpr double kAtLimit = 0.95;

void Forecast(const Tick& tick, State& state) {
  if (tick.elapsed <= absl::ZeroDuration()) return;
  const double now = tick.unmanaged.Cpus(tick.elapsed);
  const double part =
      std::min(1.0, absl::FDivDuration(tick.elapsed, kForecastOver));
  state.unmanaged_cpus += part * (now - state.unmanaged_cpus);
}

void CountNode(const Tick& tick, State& state) {
  state.window_capacity += tick.capacity;
  state.window_idle += tick.idle;
  state.window_unmanaged += tick.unmanaged;
  for (const TickUser& user : tick.exempt) {
    user.ledger->used += user.use;
    user.ledger->totals.used += user.use;
  }
}

// Users before the exempt, each in order of id, become one list in that order.
std::vector<UserDecision> DescribeAll(const Policy& policy, const Tick& tick,
                                      const State& state) {
  std::vector<UserDecision> out;
  out.reserve(tick.users.size() + tick.exempt.size());
  for (const auto* users : {&tick.users, &tick.exempt}) {
    for (const TickUser& user : *users)
      out.push_back(Describe(policy, tick, state, user));
  }
  std::ranges::inplace_merge(
      out, out.begin() + static_cast<std::ptrdiff_t>(tick.users.size()), {},
      &UserDecision::id);
  return out;
}

// By order, or by the ceilings of its members.
bool IsAtLimit(const Tick& tick, size_t g) {
  const RecentUse& recent = tick.groups[g].ledger->recent;
  return tick.groups[g].limit_spent ||
         (recent.Full() &&
          recent.Cpus() >=
              kAtLimit * GroupCeilingCpus(tick.group_terms[g], tick.cpus));
}

// All but the root, which is the node.
std::vector<GroupDecision> DescribeGroups(const Tick& tick,
                                          const State& state) {
  std::vector<GroupDecision> out;
  out.reserve(tick.groups.size() - 1);
  for (size_t g = 1; g < tick.groups.size(); ++g) {
    const GroupTerms& terms = tick.group_terms[g];
    const TickGroup& group = tick.groups[g];
    const GroupLedger& ledger = *group.ledger;
    out.push_back({.id = terms.id,
                   .parent = tick.group_terms[terms.parent].id,
                   .shares = terms.shares,
                   .at_limit = IsAtLimit(tick, g),
                   .members = group.members,
                   .cpus = ledger.recent.Cpus(),
                   .entitlement_cpus = group.entitlement.Cpus(state.window),
                   .balance = group.balance,
                   .entitlement = group.entitlement,
                   .used = ledger.used,
                   .surplus = ledger.surplus,
                   .stolen = ledger.stolen,
                   .totals = ledger.totals});
    if (terms.limit_cpus > 0) out.back().limit_cpus = terms.limit_cpus;
  }
  return out;
}

NodeDecision DescribeNode(const Tick& tick, const State& state) {
  NodeDecision out{.elapsed = tick.elapsed,
                   .cpus = tick.cpus,
                   .capacity = tick.capacity,
                   .managed = tick.managed,
                   .unmanaged = tick.unmanaged,
                   .idle = tick.idle,
                   .hypervisor_steal = tick.hypervisor_steal,
                   .exempt_forecast_cpus = state.forecast_cpus,
                   .window_number = state.window_number,
                   .window = state.window,
                   .window_age = tick.at - state.window_start,
                   .windows_expired = state.expired,
                   .windows_all_spent = state.all_spent,
                   .windows_policy = state.by_policy,
                   .fairness = state.fairness,
                   .lost = state.lost,
                   .weight_top = tick.weight_top,
                   .weight_top_shrunk = tick.weight_top_shrunk,
                   .counter_resets = state.counter_resets,
                   .counter_clamps = state.counter_clamps};
  for (const TickUser& user : tick.users) {
    out.contended |= user.waiting;
    out.wanting_users += user.wanting ? 1 : 0;
  }
  return out;
}

}  // namespace

Decision Step(const Policy& policy, const Sample& sample, State& state) {
  Tick tick = Account(policy, sample, state);
  BeginGroups(policy, tick, state);
  if (state.window_number == 0) {
    state.window = NextWindow(policy, tick, state);
    state.window_start = tick.at;
    state.window_number = 1;
  }
  Forecast(tick, state);
  CountNode(tick, state);
  JudgeLimits(tick);
  JudgeWants(tick);
  if (UpdateActive(tick, state)) Entitle(tick, state);
  AdmitWakers(tick);
  JudgeSpent(tick);
  CountFairness(tick, state);
  if (!IsJump(tick, state)) {
    Charge(policy, tick, state);
    ChargeGroups(tick);
    ChargeLimits(tick, state.window);
  }
  JudgeSpent(tick);
  Decision decision{.at = tick.at, .ended = RenewIfOver(policy, tick, state)};
  JudgeOwes(tick);
  ShareOutParts(tick, state);
  DecideYields(policy, tick, state);
  DecideWeights(policy, tick, state);
  ShareOutGroupLimits(policy, tick, state);
  DecideCeilings(policy, tick, state);
  decision.span = EndSpanIfOver(tick, state);
  if (decision.ended.has_value()) decision.ended->fairness = state.fairness;
  decision.node = DescribeNode(tick, state);
  decision.users = DescribeAll(policy, tick, state);
  decision.groups = DescribeGroups(tick, state);
  return decision;
}

}  // namespace fairsched::core
