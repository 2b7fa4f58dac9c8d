// SPDX-License-Identifier: Apache-2.0
#include "agent/core/explain.h"

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "agent/core/ceiling.h"
#include "agent/core/limits.h"
#include "agent/core/values.h"

namespace fairsched::core {
namespace {

// An exempt user's cgroup beside others.
constexpr int32_t kExemptWeight = 10000;
// Of its ceiling, over the last second: it is at it.
constexpr double kAtCeiling = 0.95;

bool IsAtCeiling(const Ledger& ledger) {
  return ledger.ceiling.has_value() && ledger.recent.Full() &&
         ledger.recent.Cpus() >= kAtCeiling * ledger.ceiling->cpus();
}

UserState StateOf(const TickUser& user) {
  if (user.terms.exempt) return UserState::kExempt;
  if (user.limit_spent && user.ledger->demoted) return UserState::kLimited;
  if (user.ledger->demoted) return UserState::kHeld;
  if (user.ledger->long_interval.used_up) return UserState::kLimited;
  if (!user.ledger->active) return UserState::kQuiet;
  if (IsAtCeiling(*user.ledger)) return UserState::kLimited;
  return user.spent ? UserState::kSpent : UserState::kRunning;
}

std::string Seconds(CpuTime time) {
  return absl::StrFormat("%.2f s", time.seconds());
}

std::string WouldBe(const Policy& policy, absl::string_view what) {
  if (policy.settings().mode != Mode::kObserve) return "";
  return absl::StrCat("observe: would be ", what, "; ");
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
    return {ReasonCode::kSpentOthersStarve,
            absl::StrCat(WouldBe(policy, "demoted"), figures)};
  }
  bool others_want = false;
  for (const TickUser& other : tick.users)
    others_want |= &other != &user && other.wanting;
  return {others_want ? ReasonCode::kSpentUncontended : ReasonCode::kSpentAlone,
          absl::StrCat(figures, others_want ? "; nobody starves"
                                            : "; nobody else wants CPU")};
}

std::string LimitText(const State& state, const TickUser& user) {
  return absl::StrFormat("limit %.2f CPUs", LimitCpus(user, state.window));
}

// Its own limit is spent or, with all its members, that of a group.
std::string SpentLimitText(const Tick& tick, const State& state,
                           const TickUser& user) {
  for (size_t g = user.terms.group; g != 0; g = tick.group_terms[g].parent) {
    if (!tick.groups[g].limit_spent) continue;
    return absl::StrFormat("limit %.2f CPUs of the group '%s'",
                           tick.group_terms[g].limit_cpus,
                           tick.group_terms[g].id);
  }
  return LimitText(state, user);
}

Reason LimitSpentReason(const Policy& policy, const Tick& tick,
                        const State& state, const TickUser& user) {
  const std::string limit = SpentLimitText(tick, state, user);
  if (user.ledger->lifted) {
    return {ReasonCode::kFloor,
            absl::StrCat(limit, " spent; lifted for a tick to its floor")};
  }
  return {ReasonCode::kAtLimit, absl::StrCat(WouldBe(policy, "demoted"), limit,
                                             " spent: others go first")};
}

// The nearest group whose limit is less than its own; "": none.
std::string GroupLimitText(const Tick& tick, const TickUser& user) {
  for (size_t g = user.terms.group; g != 0; g = tick.group_terms[g].parent) {
    const double cpus = GroupCeilingCpus(tick.group_terms[g], tick.cpus);
    if (std::isinf(cpus)) continue;
    return absl::StrFormat(
        "limit %.2f CPUs of the group '%s': it is at its part of that, %.2f "
        "CPUs",
        cpus, tick.group_terms[g].id, user.ledger->group_cpus);
  }
  return "";
}

Reason CeilingReason(const Policy& policy, const Tick& tick, const State& state,
                     const TickUser& user) {
  if (user.ledger->group_cpus < OwnCeilingCpus(user, state.window, tick.cpus)) {
    return {ReasonCode::kAtLimit,
            absl::StrCat(WouldBe(policy, "held"), GroupLimitText(tick, user))};
  }
  const std::string held =
      absl::StrCat(WouldBe(policy, "held"), LimitText(state, user));
  if (user.terms.steal_cpus <= 0 || std::isinf(user.terms.steal_cpus)) {
    return {ReasonCode::kAtLimit, absl::StrCat(held, ": it is at its limit")};
  }
  return {ReasonCode::kStealUsedUp,
          absl::StrFormat("%s: it and the steal of %.2f CPUs are used up", held,
                          user.terms.steal_cpus)};
}

Reason UsedUpReason(const Policy& policy, const Tick& tick,
                    const TickUser& user) {
  const absl::Duration interval =
      Interval(policy.settings().interval, user.terms.nice, tick.cpus);
  const absl::Duration left =
      user.ledger->long_interval.began + interval - tick.at;
  return {ReasonCode::kAtLimit,
          absl::StrFormat("its limit's %.1f s are used up for another %.1f s",
                          absl::ToDoubleSeconds(interval),
                          absl::ToDoubleSeconds(left))};
}

Reason ReasonOf(const Policy& policy, const Tick& tick, const State& state,
                const TickUser& user) {
  if (user.terms.exempt)
    return {ReasonCode::kExempt, "exempt: accounted, never throttled"};
  const Ledger& ledger = *user.ledger;
  if (user.limit_spent && ledger.demoted)
    return LimitSpentReason(policy, tick, state, user);
  if (ledger.long_interval.used_up && !ledger.demoted)
    return UsedUpReason(policy, tick, user);
  if (!ledger.active) return {ReasonCode::kQuiet, "wants no CPU"};
  if (IsAtCeiling(ledger) && !ledger.demoted)
    return CeilingReason(policy, tick, state, user);
  if (user.spent) return SpentReason(policy, tick, state, user);
  return {ReasonCode::kHasTokens,
          absl::StrCat("has ", Seconds(ledger.balance), " of its ",
                       Seconds(ledger.entitlement))};
}

CpuValues Wanted(const State& state, const TickUser& user, uint64_t inode) {
  if (user.terms.exempt) return {.weight = kExemptWeight};
  return ValuesOf(*user.ledger, state.cgroups.at(inode));
}

}  // namespace

UserDecision Describe(const Policy& policy, const Tick& tick,
                      const State& state, const TickUser& user) {
  const Ledger& ledger = *user.ledger;
  UserDecision out{.id = user.sample->id,
                   .state = StateOf(user),
                   .reason = ReasonOf(policy, tick, state, user),
                   .shares = user.terms.shares,
                   .sampled = user.sample->sampled,
                   .cpus = ledger.recent.Cpus(),
                   .balance = ledger.balance,
                   .entitlement = ledger.entitlement,
                   .used = ledger.used,
                   .surplus = ledger.surplus,
                   .stolen = ledger.stolen,
                   .held = ledger.held,
                   .totals = ledger.totals,
                   .threads = user.sample->threads,
                   .processes = user.sample->processes};
  out.fair_cpus = ledger.fair_cpus;
  out.error_ratio = ledger.error_ratio;
  out.group = tick.group_terms[user.terms.group].id;
  out.entitlement_cpus = ledger.entitlement.Cpus(state.window);
  if (user.terms.limit != Limit::Kind::kNone) {
    out.limit_cpus = LimitCpus(user, state.window);
    out.steal_cpus = user.terms.steal_cpus;
  }
  if (user.demand.has_value() && tick.elapsed > absl::ZeroDuration())
    out.demand_cpus = user.demand->Cpus(tick.elapsed);
  for (const CgroupSample& cgroup : user.sample->cgroups) {
    out.cgroups.push_back(
        {.inode = cgroup.inode, .wanted = Wanted(state, user, cgroup.inode)});
  }
  return out;
}

}  // namespace fairsched::core
