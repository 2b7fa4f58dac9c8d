// SPDX-License-Identifier: Apache-2.0
#include "agent/core/yield.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "agent/core/stops.h"
#include "agent/core/values.h"
#include "agent/core/window.h"

namespace fairsched::core {
namespace {

// It yields when it is so far ahead, until it is even. By ticks alone, so
// little as between them would fight the weights.
constexpr double kYieldLagSeconds = 0.05;
constexpr double kYieldLagBetweenTicks = 0.0125;
// Stopped threads must leave no CPU idle: the others lack at least what it has,
// or at least so much where it has next to nothing because it is stopped.
constexpr double kLeastLackCpus = 0.05;

// A contender as of now.
struct Standing {
  const Contender* contender = nullptr;
  Ledger* ledger = nullptr;
  CpuTime balance;
  double cpus = 0;  // that it uses
  double lag_seconds = 0;
};

// Among those of the same arena: going behind helps nobody else.
void FindLags(absl::Duration window, std::vector<Standing>& standings) {
  struct Sums {
    CpuTime balance, entitlement;
  };
  absl::flat_hash_map<int32_t, Sums> arenas;
  for (const Standing& each : standings) {
    Sums& sums = arenas[each.contender->arena];
    sums.balance += each.balance;
    sums.entitlement += each.ledger->entitlement;
  }
  for (Standing& each : standings) {
    const Sums& sums = arenas.at(each.contender->arena);
    if (sums.entitlement <= CpuTime()) continue;
    each.lag_seconds = LagSeconds(each.balance, each.ledger->entitlement,
                                  sums.balance / sums.entitlement, window);
  }
}

// What those that are not ahead could surely use beside what they have.
double LackOfOthers(const std::vector<Standing>& standings) {
  double lack = 0;
  for (const Standing& each : standings) {
    if (!each.ledger->yielding && each.contender->backlogged)
      lack += std::max(0.0, each.contender->demand_cpus - each.cpus);
  }
  return lack;
}

// The furthest ahead first, as long as the others fill in for all of them.
void Stop(absl::Duration at, std::vector<Standing>& standings) {
  std::vector<const Standing*> ahead;
  for (const Standing& each : standings) {
    const Ledger& ledger = *each.ledger;
    if (ledger.yielding && !ledger.ceiling.has_value() &&
        MayBeStopped(ledger, at)) {
      ahead.push_back(&each);
    }
  }
  std::ranges::sort(ahead, {}, &Standing::lag_seconds);
  double lack = LackOfOthers(standings);
  for (const Standing* each : ahead) {
    lack -= std::max(each->cpus, kLeastLackCpus);
    if (lack < 0) return;
    each->ledger->stopped = true;
    each->ledger->stops.since_tick = true;
  }
}

void Judge(absl::Duration at, absl::Duration window, double yield_lag,
           std::vector<Standing>& standings) {
  FindLags(window, standings);
  for (Standing& each : standings) {
    Ledger& ledger = *each.ledger;
    ledger.yielding = each.contender->busy &&
                      each.lag_seconds < (ledger.yielding ? 0.0 : -yield_lag);
    ledger.stopped = false;
  }
  Stop(at, standings);
}

// One tick is not enough to say that it sleeps: "some" weighs CPUs by how long
// they had something to do (collect_percpu_times() in kernel/sched/psi.c), so a
// thread that is moved in the midst of a tick may seem to have waited for half
// as long as it did.
Contender ContenderOf(const Tick& tick, const TickUser& user) {
  Ledger& ledger = *user.ledger;
  Contender out{.id = user.sample->id,
                .arena = user.arena,
                .busy = user.busy || ledger.was_busy,
                .backlogged = user.backlogged || ledger.was_backlogged,
                .demand_cpus = (user.use + user.unmet).Cpus(tick.elapsed)};
  ledger.was_busy = user.busy;
  ledger.was_backlogged = user.backlogged;
  for (const CgroupSample& cgroup : user.sample->cgroups)
    out.cgroups.push_back({.inode = cgroup.inode, .usage = cgroup.usage});
  return out;
}

}  // namespace

void DecideYields(const Policy& policy, const Tick& tick, State& state) {
  state.contenders.clear();
  JudgeStops(tick, state);
  for (const TickUser& user : tick.users) {
    user.ledger->yielding &= user.waiting;
    user.ledger->stopped = false;
  }
  if (policy.settings().pacing == Pacing::kNone ||
      tick.elapsed <= absl::ZeroDuration()) {
    return;
  }
  // Standings point to contenders, which must not move.
  state.contenders.reserve(tick.users.size());
  std::vector<Standing> standings;
  for (const TickUser& user : tick.users) {
    if (!Competes(user)) continue;
    standings.push_back(
        {.contender = &state.contenders.emplace_back(ContenderOf(tick, user)),
         .ledger = user.ledger,
         .balance = user.ledger->balance,
         .cpus = user.use.Cpus(tick.elapsed)});
  }
  Judge(tick.at, state.window, kYieldLagSeconds, standings);
}

std::vector<CgroupDecision> Trim(const UseSample& sample, State& state) {
  std::vector<CgroupDecision> changes;
  const absl::Duration elapsed = sample.at - state.at;
  if (elapsed <= absl::ZeroDuration()) return changes;
  absl::flat_hash_map<uint64_t, CpuTime> usage;
  for (const UseSample::Cgroup& cgroup : sample.cgroups)
    usage[cgroup.inode] = cgroup.usage;

  std::vector<Standing> standings;
  std::vector<CpuValues> before;
  for (const Contender& contender : state.contenders) {
    Ledger& ledger = state.users[contender.id];
    CpuTime used;
    for (const Contender::Cgroup& cgroup : contender.cgroups) {
      const auto now = usage.find(cgroup.inode);
      if (now != usage.end())
        used += std::max(now->second - cgroup.usage, CpuTime());
    }
    standings.push_back({.contender = &contender,
                         .ledger = &ledger,
                         .balance = ledger.balance - used,
                         .cpus = used.Cpus(elapsed)});
    before.push_back(ValuesOf(ledger, CgroupLedger()));
  }
  Judge(sample.at, state.window, kYieldLagBetweenTicks, standings);
  for (size_t i = 0; i < standings.size(); ++i) {
    const Ledger& ledger = *standings[i].ledger;
    if (ValuesOf(ledger, CgroupLedger()) == before[i]) continue;
    for (const Contender::Cgroup& cgroup : standings[i].contender->cgroups) {
      changes.push_back(
          {.inode = cgroup.inode,
           .wanted = ValuesOf(ledger, state.cgroups.at(cgroup.inode))});
    }
  }
  return changes;
}

}  // namespace fairsched::core
