// SPDX-License-Identifier: Apache-2.0
#include "agent/core/limits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "agent/core/groups.h"

namespace fairsched::core {
namespace {

constexpr absl::Duration kDepth = absl::Milliseconds(200);
// While others hardly lack anything: a full bucket would be a burst for those
// that wake.
constexpr double kRest = 0.25;
constexpr double kLackOfLimit = 0.1;
// What leaks to an idle cgroup beside busy ones is 3/1024 of a node. A limit
// below this part of it keeps a ceiling.
constexpr double kLeastOfNode = 0.01;
// Use within a second's limit is no steal, however uneven.
constexpr absl::Duration kStealOver = absl::Seconds(1);

bool HasTokens(const TickUser& user) {
  return user.terms.limit == Limit::Kind::kCpus;
}

void Begin(LimitBucket& bucket, double limit) {
  if (limit > 0 && !bucket.begun) bucket.tokens = CpuTime::Of(limit, kDepth);
  bucket.begun = limit > 0;
}

// Fills it for the tick, less what is paid for; to the depth of a rest, if
// others hardly miss anything.
void Turn(LimitBucket& bucket, double limit, absl::Duration elapsed,
          CpuTime paid, CpuTime others_miss) {
  const CpuTime fill = CpuTime::Of(limit, elapsed);
  const bool rest = others_miss <= fill.Scale(kLackOfLimit);
  const CpuTime depth = CpuTime::Of(limit, kDepth).Scale(rest ? kRest : 1);
  bucket.tokens = std::min(bucket.tokens + fill - paid, depth);
}

// What was used beyond the limit.
CpuTime Stolen(LimitBucket& bucket, CpuTime use, double limit,
               absl::Duration elapsed) {
  bucket.room = std::min(bucket.room + CpuTime::Of(limit, elapsed),
                         CpuTime::Of(limit, std::max(kStealOver, elapsed)));
  const CpuTime stolen = std::max(use - bucket.room, CpuTime());
  bucket.room -= use - stolen;
  return stolen;
}

// Whether a ceiling in the kernel holds such a limit alone.
bool HoldsAlone(double limit, double steal, double cpus) {
  return steal <= 0 || limit < kLeastOfNode * cpus;
}

// The ceiling: the limit and its steal, unless that would be none.
double WithSteal(double limit, double steal, bool holds_alone) {
  const double most = limit + steal;
  return holds_alone && std::isinf(most) ? limit : most;
}

bool IsSpent(Tick& tick, const TickUser& user) {
  bool spent = HasTokens(user) && user.ledger->limit.tokens <= CpuTime() &&
               !CeilingIsLimit(user, tick.cpus);
  VisitGroupsOf(tick, user, [&spent](const TickGroup& group) {
    spent |= group.limit_spent;
  });
  return spent;
}

void JudgeGroups(Tick& tick) {
  for (size_t g = 0; g < tick.groups.size(); ++g) {
    tick.groups[g].limit_spent =
        tick.group_terms[g].limit_cpus > 0 &&
        !HoldsAlone(tick.group_terms[g].limit_cpus,
                    tick.group_terms[g].steal_cpus, tick.cpus) &&
        tick.groups[g].ledger->limit.tokens <= CpuTime();
  }
}

void ChargeUser(Tick& tick, TickUser& user, absl::Duration window) {
  Ledger& ledger = *user.ledger;
  const double limit = LimitCpus(user, window);
  if (std::isinf(limit)) return;
  const CpuTime stolen = Stolen(ledger.limit, user.use, limit, tick.elapsed);
  ledger.stolen += stolen;
  ledger.totals.stolen += stolen;
  if (!HasTokens(user)) return;
  const TickGroup& all = tick.groups[0];
  const CpuTime own_lack = user.limit_spent ? CpuTime() : user.lack;
  const CpuTime own_miss = user.limit_spent ? CpuTime() : user.missing;
  Turn(ledger.limit, limit, tick.elapsed,
       std::min(user.use, all.lack - own_lack), all.missing - own_miss);
}

void ChargeGroup(Tick& tick, size_t g) {
  const double limit = tick.group_terms[g].limit_cpus;
  if (limit <= 0) return;
  const TickGroup& all = tick.groups[0];
  const TickGroup& group = tick.groups[g];
  GroupLedger& ledger = *group.ledger;
  const CpuTime stolen = Stolen(ledger.limit, group.use, limit, tick.elapsed);
  ledger.stolen += stolen;
  ledger.totals.stolen += stolen;
  Turn(ledger.limit, limit, tick.elapsed,
       std::min(group.use, all.lack - group.lack), all.missing - group.missing);
}

}  // namespace

double LimitCpus(const TickUser& user, absl::Duration window) {
  switch (user.terms.limit) {
    case Limit::Kind::kCpus:
      return user.terms.limit_cpus;
    case Limit::Kind::kEntitlement:
      return user.ledger->entitlement.Cpus(window);
    case Limit::Kind::kNone:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

CpuTime WithinLimit(const TickUser& user, CpuTime most, absl::Duration span) {
  if (!HasTokens(user)) return most;
  return std::min(most, CpuTime::Of(user.terms.limit_cpus, span));
}

double LimitSeconds(const Tick& tick, const TickUser& user) {
  double least = std::numeric_limits<double>::infinity();
  if (HasTokens(user))
    least = user.ledger->limit.tokens.seconds() / user.terms.limit_cpus;
  for (size_t g = user.terms.group; g != 0; g = tick.group_terms[g].parent) {
    const double limit = tick.group_terms[g].limit_cpus;
    if (limit <= 0) continue;
    least =
        std::min(least, tick.groups[g].ledger->limit.tokens.seconds() / limit);
  }
  return least;
}

bool CeilingIsLimit(const TickUser& user, double cpus) {
  return HasTokens(user) &&
         HoldsAlone(user.terms.limit_cpus, user.terms.steal_cpus, cpus);
}

double OwnCeilingCpus(const TickUser& user, absl::Duration window,
                      double cpus) {
  return WithSteal(LimitCpus(user, window), user.terms.steal_cpus,
                   CeilingIsLimit(user, cpus));
}

double GroupCeilingCpus(const GroupTerms& group, double cpus) {
  if (group.limit_cpus <= 0) return std::numeric_limits<double>::infinity();
  return WithSteal(group.limit_cpus, group.steal_cpus,
                   HoldsAlone(group.limit_cpus, group.steal_cpus, cpus));
}

void JudgeLimits(Tick& tick) {
  for (size_t g = 0; g < tick.groups.size(); ++g)
    Begin(tick.groups[g].ledger->limit, tick.group_terms[g].limit_cpus);
  JudgeGroups(tick);
  for (TickUser& user : tick.users) {
    Begin(user.ledger->limit, HasTokens(user) ? user.terms.limit_cpus : 0);
    user.limit_spent = IsSpent(tick, user);
  }
}

void ChargeLimits(Tick& tick, absl::Duration window) {
  for (const TickUser& user : tick.users) {
    if (user.limit_spent) continue;
    VisitGroupsOf(tick, user, [&user](TickGroup& group) {
      group.lack += user.lack;
      group.missing += user.missing;
    });
  }
  for (TickUser& user : tick.users) ChargeUser(tick, user, window);
  for (size_t g = 0; g < tick.groups.size(); ++g) ChargeGroup(tick, g);
  JudgeGroups(tick);
  for (TickUser& user : tick.users) {
    user.limit_spent = IsSpent(tick, user);
    if (user.limit_spent) user.waiting = false;
    if (user.limit_spent || user.ledger->bound) user.hungry = false;
  }
}

}  // namespace fairsched::core
