// SPDX-License-Identifier: Apache-2.0
#include "agent/core/engine.h"

#include <algorithm>
#include <cstddef>

#include "agent/core/accounting.h"
#include "agent/core/entitlement.h"
#include "agent/core/explain.h"
#include "agent/core/tick.h"
#include "agent/core/wants.h"
#include "agent/core/weights.h"
#include "agent/core/window.h"

namespace fairsched::core {
namespace {

// The use of what is not managed is forecast by its mean over this long.
constexpr absl::Duration kForecastOver = absl::Seconds(10);

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
  if (state.window_number == 0) {
    state.window = policy.settings().window;
    state.window_start = tick.at;
    state.window_number = 1;
  }
  Forecast(tick, state);
  CountNode(tick, state);
  JudgeWants(tick);
  if (UpdateActive(tick, state)) Entitle(tick, state);
  AdmitWakers(tick);
  JudgeSpent(tick);
  if (!IsJump(tick, state)) Charge(policy, tick, state);
  JudgeSpent(tick);
  Decision decision{.at = tick.at, .ended = RenewIfOver(policy, tick, state)};
  DecideWeights(policy, tick, state);
  decision.node = DescribeNode(tick, state);
  decision.users = DescribeAll(policy, tick, state);
  return decision;
}

}  // namespace fairsched::core
