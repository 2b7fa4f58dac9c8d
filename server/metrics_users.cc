// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/convert_usage.h"
#include "server/metrics_families.h"

namespace fairsched::server {
namespace {

constexpr std::array kStates = {
    core::UserState::kAbsent,  core::UserState::kQuiet,
    core::UserState::kRunning, core::UserState::kSpent,
    core::UserState::kHeld,    core::UserState::kLimited,
    core::UserState::kExempt};

// The users with series of their own, in order of id, and the sum of the rest.
struct Chosen {
  std::vector<const core::UserDecision*> users;
  core::UserTotals rest;
  bool has_rest = false;
};

void AddTotals(const core::UserTotals& from, core::UserTotals& to) {
  to.used += from.used;
  to.entitled += from.entitled;
  to.surplus += from.surplus;
  to.fair += from.fair;
  to.stolen += from.stolen;
  to.throttled += from.throttled;
  to.unmet += from.unmet;
  to.held += from.held;
}

Chosen Choose(const std::vector<core::UserDecision>& users, size_t most) {
  Chosen chosen;
  chosen.users.reserve(users.size());
  for (const core::UserDecision& user : users) chosen.users.push_back(&user);
  if (users.size() <= most) return chosen;
  // By id among equals, so that they do not change places with every tick.
  const auto used_more = [](const auto* a, const auto* b) {
    return a->totals.used != b->totals.used ? a->totals.used > b->totals.used
                                            : a->id < b->id;
  };
  const auto rest = chosen.users.begin() + static_cast<ptrdiff_t>(most);
  std::nth_element(chosen.users.begin(), rest, chosen.users.end(), used_more);
  std::for_each(rest, chosen.users.end(), [&chosen](const auto* user) {
    AddTotals(user->totals, chosen.rest);
  });
  chosen.has_rest = true;
  chosen.users.erase(rest, chosen.users.end());
  std::ranges::sort(chosen.users, {}, &core::UserDecision::id);
  return chosen;
}

Labels User(const std::string& id) { return {{"user", id}}; }

// A counter of seconds that the rest has, too.
template <typename SecondsOf>
void AddSeconds(const char* name, const char* help, const Chosen& chosen,
                SecondsOf seconds_of, Families& families) {
  Family family = Counter(name, help);
  for (const core::UserDecision* user : chosen.users) {
    family.Add(seconds_of(user->totals), User(user->id));
  }
  if (chosen.has_rest) family.Add(seconds_of(chosen.rest), User("_other"));
  family.AddTo(families);
}

void AddCounters(const Chosen& chosen, Families& families) {
  using Totals = core::UserTotals;
  AddSeconds(
      "fairsched_user_cpu_seconds_total", "CPU time that the user used.",
      chosen, [](const Totals& t) { return t.used.seconds(); }, families);
  AddSeconds(
      "fairsched_user_entitled_seconds_total",
      "CPU time that the user's shares gave it while it was active.", chosen,
      [](const Totals& t) { return t.entitled.seconds(); }, families);
  AddSeconds(
      "fairsched_user_surplus_seconds_total",
      "CPU time used while nobody else waited, or while demoted.", chosen,
      [](const Totals& t) { return t.surplus.seconds(); }, families);
  AddSeconds(
      "fairsched_user_fair_share_seconds_total",
      "CPU time that was the user's fair share, by what all wanted.", chosen,
      [](const Totals& t) { return t.fair.seconds(); }, families);
  AddSeconds(
      "fairsched_user_stolen_seconds_total",
      "CPU time used beyond the limit, of what was left over.", chosen,
      [](const Totals& t) { return t.stolen.seconds(); }, families);
  AddSeconds(
      "fairsched_user_throttled_seconds_total",
      "Time that its ceiling held the user, added up over CPUs.", chosen,
      [](const Totals& t) { return t.throttled.seconds(); }, families);
  AddSeconds(
      "fairsched_user_wait_seconds_total",
      "CPU time that the user wanted and did not get, as far as demand "
      "was known.",
      chosen, [](const Totals& t) { return t.unmet.seconds(); }, families);
  AddSeconds(
      "fairsched_user_held_seconds_total",
      "Wall time that the user was demoted.", chosen,
      [](const Totals& t) { return absl::ToDoubleSeconds(t.held); }, families);
}

void AddGauges(const Chosen& chosen, Families& families) {
  Family balance =
      Gauge("fairsched_user_balance_seconds",
            "Tokens left in this window, in CPU time; negative: a debt.");
  Family shares = Gauge("fairsched_user_shares", "Shares in force.");
  Family limit =
      Gauge("fairsched_user_limit_cpus", "The limit in force; absent: none.");
  Family state = Gauge("fairsched_user_state",
                       "1 for the state that the user is in, else 0.");
  for (const core::UserDecision* user : chosen.users) {
    balance.Add(user->balance.seconds(), User(user->id));
    shares.Add(user->shares, User(user->id));
    if (user->limit_cpus.has_value())
      limit.Add(*user->limit_cpus, User(user->id));
    for (const core::UserState one : kStates) {
      state.Add(user->state == one ? 1 : 0,
                {{"user", user->id}, {"state", std::string(StateName(one))}});
    }
  }
  balance.AddTo(families);
  shares.AddTo(families);
  limit.AddTo(families);
  state.AddTo(families);
}

void AddInfo(const core::Policy& policy, const Chosen& chosen,
             Families& families) {
  // One series a user: else it could not be joined with the others.
  Family family =
      Gauge("fairsched_user_info", "Always 1; the user's first uid.");
  for (const core::UserDecision* user : chosen.users) {
    const std::vector<int64_t> uids = policy.UidsOf(user->id);
    family.Add(1, {{"user", user->id},
                   {"uid", uids.empty() ? "" : absl::StrCat(uids.front())}});
  }
  family.AddTo(families);
}

}  // namespace

void AddUserFamilies(const runtime::Snapshot& snapshot, size_t max_users,
                     Families& families) {
  const Chosen chosen = Choose(snapshot.decision.users, max_users);
  AddCounters(chosen, families);
  AddGauges(chosen, families);
  AddInfo(*snapshot.policy, chosen, families);
}

}  // namespace fairsched::server
