// SPDX-License-Identifier: Apache-2.0
#include "agent/core/groups.h"

#include <cstddef>

namespace fairsched::core {

void BeginGroups(const Policy& policy, Tick& tick, State& state) {
  tick.group_terms = policy.group_terms();
  absl::erase_if(state.group_ledgers, [&policy](const auto& each) {
    return !each.first.empty() && !policy.groups().contains(each.first);
  });
  tick.groups.resize(tick.group_terms.size());
  for (size_t g = 0; g < tick.groups.size(); ++g)
    tick.groups[g].ledger = &state.group_ledgers[tick.group_terms[g].id];
}

void VisitGroupsOf(Tick& tick, const TickUser& user,
                   absl::FunctionRef<void(TickGroup&)> visit) {
  size_t g = user.terms.group;
  while (true) {
    visit(tick.groups[g]);
    if (g == 0) return;
    g = tick.group_terms[g].parent;
  }
}

void ChargeGroups(Tick& tick) {
  for (const TickUser& user : tick.users) {
    VisitGroupsOf(tick, user, [&user](TickGroup& group) {
      ++group.members;
      group.use += user.use;
      group.surplus += user.surplus;
    });
  }
  for (TickGroup& group : tick.groups) {
    GroupLedger& ledger = *group.ledger;
    ledger.used += group.use;
    ledger.surplus += group.surplus;
    ledger.totals.used += group.use;
    ledger.totals.surplus += group.surplus;
    if (tick.elapsed > absl::ZeroDuration())
      ledger.recent.Add(tick.elapsed, group.use);
  }
}

void JudgeOwes(Tick& tick) {
  for (TickGroup& group : tick.groups) {
    group.balance = group.entitlement = CpuTime();
    group.starving = 0;
  }
  for (const TickUser& user : tick.users) {
    VisitGroupsOf(tick, user, [&user](TickGroup& group) {
      group.balance += user.ledger->balance;
      group.entitlement += user.ledger->entitlement;
      group.starving += user.starving ? 1 : 0;
    });
  }
  for (TickUser& user : tick.users) {
    user.owes = false;
    bool spent = user.spent;
    int64_t below = 0;  // of the starving, those that it does not compete with
    VisitGroupsOf(tick, user, [&](const TickGroup& group) {
      user.owes |= spent && group.starving > below;
      spent = spent && group.balance <= CpuTime();
      below = group.starving;
    });
  }
}

}  // namespace fairsched::core
