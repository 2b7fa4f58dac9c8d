// SPDX-License-Identifier: Apache-2.0
#include "agent/core/checkpoint.h"

#include <algorithm>

namespace fairsched::core {

Checkpoint Save(const State& state) {
  Checkpoint checkpoint{.at = state.at,
                        .window = state.window,
                        .window_age = state.at - state.window_start,
                        .window_number = state.window_number,
                        .unmanaged_cpus = state.unmanaged_cpus,
                        .forecast_cpus = state.forecast_cpus,
                        .span = state.span,
                        .users = {},
                        .groups = {}};
  checkpoint.users.reserve(state.users.size());
  for (const auto& [id, ledger] : state.users) {
    checkpoint.users.push_back(
        {.id = id,
         .balance = ledger.balance,
         .entitlement = ledger.entitlement,
         .claim = ledger.claim,
         .shares = ledger.shares,
         .active = ledger.active,
         .admitted = ledger.admitted,
         // It may never have wanted any.
         .since_wanted =
             std::min(state.at - ledger.wanted_at, kCheckpointHolds),
         .since_present = state.at - ledger.present_at,
         .used = ledger.used,
         .surplus = ledger.surplus,
         .held = ledger.held,
         .got = ledger.got,
         .unmet = ledger.unmet,
         .due = ledger.due,
         .limit = ledger.limit,
         .stolen = ledger.stolen,
         .owed = ledger.debt.owed,
         .interval_left = ledger.long_interval.left,
         // There may be none.
         .since_interval =
             std::min(state.at - ledger.long_interval.began, kCheckpointHolds),
         .span = ledger.span,
         .spans = ledger.spans.All()});
  }
  std::ranges::sort(checkpoint.users, {}, &UserCheckpoint::id);
  for (const auto& [id, ledger] : state.group_ledgers) {
    if (id.empty()) continue;
    checkpoint.groups.push_back({.id = id,
                                 .limit = ledger.limit,
                                 .owed = ledger.debt.owed,
                                 .used = ledger.used,
                                 .surplus = ledger.surplus,
                                 .stolen = ledger.stolen});
  }
  std::ranges::sort(checkpoint.groups, {}, &GroupCheckpoint::id);
  return checkpoint;
}

State Resume(const Checkpoint& checkpoint, absl::Duration now) {
  State state;
  state.at = now;
  state.window = checkpoint.window;
  state.window_start = now - checkpoint.window_age;
  state.window_number = checkpoint.window_number;
  state.unmanaged_cpus = checkpoint.unmanaged_cpus;
  state.forecast_cpus = checkpoint.forecast_cpus;
  state.span = checkpoint.span;
  state.span.start += now - checkpoint.at;
  for (const GroupCheckpoint& group : checkpoint.groups) {
    GroupLedger& ledger = state.group_ledgers[group.id];
    ledger.limit = group.limit;
    ledger.debt.owed = group.owed;
    ledger.used = group.used;
    ledger.surplus = group.surplus;
    ledger.stolen = group.stolen;
  }
  for (const UserCheckpoint& user : checkpoint.users) {
    Ledger& ledger = state.users[user.id];
    ledger.balance = user.balance;
    ledger.entitlement = user.entitlement;
    ledger.claim = user.claim;
    ledger.shares = user.shares;
    ledger.active = user.active;
    ledger.admitted = user.admitted;
    ledger.wanted_at = now - user.since_wanted;
    ledger.present_at = now - user.since_present;
    ledger.used = user.used;
    ledger.surplus = user.surplus;
    ledger.held = user.held;
    ledger.got = user.got;
    ledger.unmet = user.unmet;
    ledger.due = user.due;
    ledger.limit = user.limit;
    ledger.stolen = user.stolen;
    ledger.debt.owed = user.owed;
    ledger.long_interval = {.began = now - user.since_interval,
                            .left = user.interval_left};
    ledger.span = user.span;
    for (const double x : user.spans) ledger.spans.Add(x);
    state.active_users += user.active ? 1 : 0;
  }
  return state;
}

}  // namespace fairsched::core
