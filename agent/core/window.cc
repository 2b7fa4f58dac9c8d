// SPDX-License-Identifier: Apache-2.0
#include "agent/core/window.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "agent/core/auto_window.h"
#include "agent/core/entitlement.h"

namespace fairsched::core {
namespace {

// A gap of more windows than this is no tick but a jump: a paused VM.
constexpr int kJumpWindows = 3;

// How many entitlements make some wanting user's balance positive.
int64_t SmallestMultiple(const Tick& tick) {
  int64_t smallest = INT64_MAX;
  for (const TickUser& user : tick.users) {
    if (!user.wanting || user.ledger->bound) continue;
    const Ledger& ledger = *user.ledger;
    const int64_t k =
        static_cast<int64_t>(std::floor(-ledger.balance / ledger.entitlement)) +
        1;
    smallest = std::min(smallest, k);
  }
  return smallest == INT64_MAX ? 1 : std::max<int64_t>(smallest, 1);
}

WindowReport Report(const Tick& tick, const State& state, WindowEnd end) {
  WindowReport report{.number = state.window_number,
                      .at = tick.at,
                      .length = tick.at - state.window_start,
                      .end = end,
                      .capacity = state.window_capacity,
                      .idle = state.window_idle,
                      .unmanaged = state.window_unmanaged};
  for (const TickUser& user : tick.users) {
    const Ledger& ledger = *user.ledger;
    if (!ledger.active && ledger.used == CpuTime()) continue;
    report.users.push_back({.id = user.sample->id,
                            .used = ledger.used,
                            .entitlement = ledger.entitlement,
                            .balance_before = ledger.balance,
                            .surplus = ledger.surplus,
                            .held = ledger.held});
  }
  return report;
}

// What was refused in the window, and before: it may be carried over.
void UpdateClaim(TickUser& user) {
  Ledger& ledger = *user.ledger;
  if (user.limit_spent) {
    ledger.claim = CpuTime();
    return;
  }
  ledger.claim =
      std::clamp(ledger.claim + std::min(ledger.unmet, ledger.due - ledger.got),
                 CpuTime(), ledger.entitlement);
}

// Those that wait first give up what they hold in common: it favours nobody,
// and the cap below would eat their differences. Who was refused keeps its
// claim, who slept does not hoard. A debt is kept whole.
void RenewExpired(Tick& tick) {
  const double common = std::max(0.0, MeanRatio(tick, Competes).value_or(0.0));
  for (TickUser& user : tick.users) {
    Ledger& ledger = *user.ledger;
    UpdateClaim(user);
    if (Competes(user)) ledger.balance -= ledger.entitlement.Scale(common);
    ledger.balance =
        std::min(ledger.balance, ledger.claim) + ledger.entitlement;
  }
}

// So many entitlements for everybody that somebody who wants CPU is out of
// debt: the multiple and the whole debt belong together.
void RenewEarly(Tick& tick, int64_t multiple) {
  for (TickUser& user : tick.users) {
    Ledger& ledger = *user.ledger;
    UpdateClaim(user);
    ledger.balance = std::min(ledger.balance + ledger.entitlement * multiple,
                              ledger.entitlement + ledger.claim);
  }
}

void RenewAfterJump(Tick& tick) {
  for (TickUser& user : tick.users) {
    Ledger& ledger = *user.ledger;
    ledger.claim = CpuTime();
    ledger.balance = std::min(ledger.balance, CpuTime()) + ledger.entitlement;
  }
}

void BeginWindow(Tick& tick, State& state) {
  state.window_start = tick.at;
  ++state.window_number;
  state.window_capacity = state.window_idle = state.window_unmanaged =
      CpuTime();
  for (const TickGroup& group : tick.groups) {
    GroupLedger& ledger = *group.ledger;
    ledger.used = ledger.surplus = ledger.stolen = CpuTime();
  }
  for (TickUser& user : tick.users) {
    Ledger& ledger = *user.ledger;
    ledger.used = ledger.surplus = ledger.stolen = CpuTime();
    ledger.got = ledger.unmet = ledger.due = CpuTime();
    ledger.held = absl::ZeroDuration();
  }
}

// What those have left on whom a newcomer depends; all of it, if there are
// none.
double MeanOfOld(const Tick& tick) {
  const auto waiting =
      MeanRatio(tick, [](const TickUser& u) { return Competes(u) && !u.woke; });
  const auto wanting = MeanRatio(tick, [](const TickUser& u) {
    return u.wanting && !u.woke && !u.ledger->bound;
  });
  return std::clamp(waiting.value_or(wanting.value_or(1.0)), 0.0, 1.0);
}

// Some who want CPU are spent, and nobody starves; by the rule of 2007, all who
// want CPU are spent.
bool AllSpent(Pacing pacing, const Tick& tick) {
  bool some_spent = false;
  for (const TickUser& user : tick.users) {
    const bool has_tokens =
        pacing == Pacing::kNone ? user.wanting && !user.spent : user.starving;
    if (has_tokens) return false;
    some_spent |= user.wanting && user.spent && !user.ledger->bound;
  }
  return some_spent;
}

// Why the window is over, if it is.
std::optional<WindowEnd> Over(const Policy& policy, const Tick& tick,
                              const State& state) {
  if (IsJump(tick, state)) return WindowEnd::kPolicy;
  // A millisecond of jitter must not make a window a whole tick longer.
  if (tick.at - state.window_start >= state.window - absl::Milliseconds(1))
    return WindowEnd::kExpired;
  if (AllSpent(policy.settings().pacing, tick)) return WindowEnd::kAllSpent;
  return std::nullopt;
}

}  // namespace

std::optional<double> MeanRatio(const Tick& tick,
                                bool (*counts)(const TickUser&)) {
  CpuTime balance, entitlement;
  for (const TickUser& user : tick.users) {
    if (!counts(user)) continue;
    balance += user.ledger->balance;
    entitlement += user.ledger->entitlement;
  }
  if (entitlement <= CpuTime()) return std::nullopt;
  return balance / entitlement;
}

bool Competes(const TickUser& user) {
  return user.waiting && !user.ledger->bound;
}

double LagSeconds(CpuTime balance, CpuTime entitlement, double mean,
                  absl::Duration window) {
  return (balance / entitlement - mean) * absl::ToDoubleSeconds(window);
}

void AdmitWakers(Tick& tick) {
  const double mean = MeanOfOld(tick);
  for (TickUser& user : tick.users) {
    if (!user.woke) continue;
    Ledger& ledger = *user.ledger;
    const CpuTime start = ledger.entitlement.Scale(mean);
    ledger.balance = ledger.admitted ? std::min(ledger.balance, start) : start;
    ledger.admitted = true;
    ledger.claim = ledger.due = ledger.got = ledger.unmet = CpuTime();
  }
}

void Charge(const Policy& policy, Tick& tick, const State& state) {
  const bool by_2007 = policy.settings().pacing == Pacing::kNone;
  const double mean = MeanOfOld(tick);
  int64_t waiting = 0;
  bool starving = false;
  for (const TickUser& user : tick.users) {
    waiting += user.waiting ? 1 : 0;
    starving |= user.starving;
  }
  for (TickUser& user : tick.users) {
    Ledger& ledger = *user.ledger;
    const CpuTime due = ledger.active
                            ? ledger.entitlement.Scale(absl::FDivDuration(
                                  tick.elapsed, state.window))
                            : CpuTime();
    const bool others_wait = waiting > (user.waiting ? 1 : 0);
    const bool leftovers = ledger.demoted && !ledger.lifted && !starving;
    CpuTime charge = user.use;
    if (leftovers && !by_2007) charge = CpuTime();
    if (!others_wait && !by_2007) charge = std::min(user.use, due);
    if (ledger.bound) {
      charge = user.use;
      ledger.balance = ledger.entitlement.Scale(mean);
    } else {
      ledger.balance -= charge;
    }
    user.surplus = user.use - charge;
    ledger.surplus += user.surplus;
    ledger.totals.surplus += user.surplus;
    ledger.used += user.use;
    ledger.got += user.use;
    ledger.unmet += user.unmet;
    ledger.totals.used += user.use;
    ledger.totals.unmet += user.unmet;
    ledger.due += due;
    ledger.totals.entitled += due;
    if (ledger.demoted) {
      ledger.held += tick.elapsed;
      ledger.totals.held += tick.elapsed;
    }
  }
}

bool IsJump(const Tick& tick, const State& state) {
  return state.window > absl::ZeroDuration() &&
         tick.elapsed > state.window * kJumpWindows;
}

void JudgeSpent(Tick& tick) {
  for (TickUser& user : tick.users) {
    user.spent = user.ledger->balance <= CpuTime() && !user.ledger->bound;
    user.starving = user.hungry && !user.spent;
  }
}

std::optional<WindowReport> RenewIfOver(const Policy& policy, Tick& tick,
                                        State& state) {
  const std::optional<WindowEnd> end = Over(policy, tick, state);
  if (!end.has_value()) return std::nullopt;

  WindowReport report = Report(tick, state, *end);
  state.forecast_cpus = state.unmanaged_cpus;
  // Restarts come too fast to judge by.
  if (*end != WindowEnd::kAllSpent ||
      policy.settings().window > absl::ZeroDuration()) {
    state.window = NextWindow(policy, tick, state);
  }
  Entitle(tick, state);
  switch (*end) {
    case WindowEnd::kExpired:
      ++state.expired;
      RenewExpired(tick);
      break;
    case WindowEnd::kAllSpent:
      ++state.all_spent;
      report.multiple = SmallestMultiple(tick);
      RenewEarly(tick, report.multiple);
      break;
    case WindowEnd::kPolicy:
      ++state.by_policy;
      RenewAfterJump(tick);
      break;
  }
  size_t next = 0;
  for (const TickUser& user : tick.users) {
    if (next < report.users.size() && report.users[next].id == user.sample->id)
      report.users[next++].balance_after = user.ledger->balance;
  }
  BeginWindow(tick, state);
  JudgeSpent(tick);
  return report;
}

}  // namespace fairsched::core
