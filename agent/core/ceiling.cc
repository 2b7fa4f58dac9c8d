// SPDX-License-Identifier: Apache-2.0
#include "agent/core/ceiling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "agent/core/grants.h"
#include "agent/core/limits.h"

namespace fairsched::core {
namespace {

constexpr absl::Duration kMostInterval = absl::Seconds(5);

constexpr double kEntitlementChange = 0.05;
constexpr int kPeriodsBetweenWrites = 10;
constexpr size_t kTicksForAll = 10;

// That the user's ceiling is to be; infinite: it has none.
double CeilingCpus(const Tick& tick, const State& state, const TickUser& user) {
  return std::min(OwnCeilingCpus(user, state.window, tick.cpus),
                  user.ledger->group_cpus);
}

std::optional<Ceiling> Wanted(const Policy& policy, const Tick& tick,
                              const TickUser& user, double cpus) {
  if (std::isinf(cpus)) return std::nullopt;
  return MakeCeiling(
      cpus, Interval(policy.settings().interval, user.terms.nice, tick.cpus),
      user.terms.burst);
}

// An entitlement moves with everybody who comes and goes.
bool IsNear(const TickUser& user, const std::optional<Ceiling>& wanted) {
  const std::optional<Ceiling>& now = user.ledger->ceiling;
  if (wanted == now) return true;
  return user.terms.limit == Limit::Kind::kEntitlement && wanted && now &&
         wanted->period == now->period &&
         (wanted->burst > CpuTime()) == (now->burst > CpuTime()) &&
         std::abs(wanted->quota / now->quota - 1) <= kEntitlementChange;
}

bool IsTooEarly(const Ledger& ledger, const std::optional<Ceiling>& wanted,
                absl::Duration at) {
  const absl::Duration period =
      std::max(wanted.has_value() ? wanted->period : absl::ZeroDuration(),
               ledger.ceiling.has_value() ? ledger.ceiling->period
                                          : absl::ZeroDuration());
  return at - ledger.ceiling_at < period * kPeriodsBetweenWrites;
}

// A quota that is shared out anew among a user's cgroups is written to each.
void CountDebt(const Tick& tick, const TickUser& user, double cpus) {
  GrantDebt& debt = user.ledger->debt;
  if (std::isinf(cpus) || !user.ledger->ceiling.has_value() ||
      user.sample->cgroups.size() < 2) {
    debt = {};
  } else {
    CountGrants(user.use, cpus, tick.elapsed, debt);
  }
}

// Whether its interval is longer than the kernel's. If so, it is looked after.
bool KeepsLongInterval(const Policy& policy, const Tick& tick,
                       const TickUser& user, double cpus) {
  Ledger& ledger = *user.ledger;
  const absl::Duration interval =
      Interval(policy.settings().interval, user.terms.nice, tick.cpus);
  if (interval <= kMostPeriod || std::isinf(cpus) ||
      policy.settings().mode != Mode::kEnforce) {
    ledger.long_interval = {};
    return false;
  }
  const LongTerms terms = {.cpus = cpus,
                           .interval = interval,
                           .burst = user.terms.burst,
                           .node_cpus = tick.cpus,
                           .tick = policy.settings().tick};
  ledger.ceiling = KeepLongInterval(terms, tick.at, user.use, ledger.ceiling,
                                    ledger.long_interval);
  ledger.ceiling_at = tick.at;
  return true;
}

}  // namespace

absl::Duration Interval(absl::Duration interval, int32_t nice, double cpus) {
  if (interval <= absl::ZeroDuration()) {
    interval = absl::Milliseconds(8) *
               (1 + std::floor(std::log2(std::max(cpus, 1.0))));
  }
  if (nice < -6) interval *= static_cast<double>(nice) * nice / 40;
  if (nice > 0) interval /= 2;
  return std::clamp(interval, kLeastPeriod, kMostInterval);
}

Ceiling MakeCeiling(double cpus, absl::Duration interval, CpuTime burst) {
  absl::Duration period = std::clamp(interval, kLeastPeriod, kMostPeriod);
  if (CpuTime::Of(cpus, period) < kLeastQuota) {
    period = std::min(
        absl::Ceil(absl::Milliseconds(1) / cpus, absl::Microseconds(1)),
        kMostPeriod);
  }
  const CpuTime quota = std::max(CpuTime::Of(cpus, period), kLeastQuota);
  return {.quota = quota, .period = period, .burst = std::min(burst, quota)};
}

void DecideCeilings(const Policy& policy, Tick& tick, const State& state) {
  const size_t count = tick.users.size();
  size_t left = (count + kTicksForAll - 1) / kTicksForAll;
  // So that those in front don't have all the turns.
  const size_t first = count == 0 ? 0 : state.ticks * left % count;
  for (size_t i = 0; i < count; ++i) {
    TickUser& user = tick.users[(first + i) % count];
    Ledger& ledger = *user.ledger;
    double cpus = CeilingCpus(tick, state, user);
    if (policy.settings().mode == Mode::kEnforce) CountDebt(tick, user, cpus);
    cpus *= PartAfterDebt(ledger.debt);
    if (KeepsLongInterval(policy, tick, user, cpus)) continue;
    // What was shared out for a group holds for all its members at once.
    if (left == 0 && !user.split) continue;
    const std::optional<Ceiling> wanted = Wanted(policy, tick, user, cpus);
    if (IsNear(user, wanted) ||
        (!user.split && IsTooEarly(ledger, wanted, tick.at)))
      continue;
    left -= user.split ? 0 : 1;
    ledger.ceiling = wanted;
    ledger.ceiling_at = tick.at;
    if (wanted.has_value()) ledger.limit.tokens -= wanted->quota;
  }
}

}  // namespace fairsched::core
