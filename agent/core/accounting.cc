// SPDX-License-Identifier: Apache-2.0
#include "agent/core/accounting.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "agent/core/demand.h"

namespace fairsched::core {
namespace {

// How long the account of a user that left is kept.
constexpr absl::Duration kKeepAbsent = absl::Minutes(10);
// Over how long a cgroup's wants are taken, and what part of them as of now it
// has had at most if it only begins to have any.
constexpr absl::Duration kWantSpan = absl::Seconds(1);
constexpr double kBegins = 0.1;
constexpr double kAsleepCpus = 0.005;

// What one user did in a tick, added up over its cgroups.
struct Use {
  CpuTime use;
  CpuTime demand;
  CpuTime throttled;
  bool demand_known = true;
  bool busy = false, backlogged = false;
};

class Accountant {
 public:
  Accountant(const Tick& tick, State& state)
      : tick_(tick),
        most_(CpuTime::Of(tick.cpus, tick.elapsed)),
        state_(state) {}

  // `ceiling` is what held the user in the tick.
  Use Take(const UserSample& user, const std::optional<Ceiling>& ceiling) {
    const double cpus = ceiling.has_value()
                            ? std::min(tick_.cpus, ceiling->cpus())
                            : tick_.cpus;
    Use sum;
    for (const CgroupSample& cgroup : user.cgroups) {
      const Use one = Take(cgroup, user, cpus, ceiling.has_value());
      sum.use += one.use;
      sum.demand += one.demand;
      sum.throttled += one.throttled;
      sum.demand_known &= one.demand_known;
      sum.busy |= one.busy;
      sum.backlogged |= one.backlogged;
    }
    const CpuTime most = CpuTime::Of(cpus, tick_.elapsed);
    sum.demand = std::clamp(sum.demand, sum.use, std::max(sum.use, most));
    return sum;
  }

 private:
  // Threads that only yield.cc stopped want as much as ever: they wait.
  Use Take(const CgroupSample& now, const UserSample& user, double cpus,
           bool has_ceiling) {
    const auto [it, is_new] = state_.cgroups.try_emplace(now.inode);
    CgroupLedger& before = it->second;
    Use result;
    if (!is_new) {
      result.use = Difference(before.usage, now.usage, user.sampled);
    } else if (state_.ticks > 0 && now.usage <= most_) {
      result.use = now.usage;
      before.pressure_some = CpuTime();  // they began in this tick, too
      before.throttled = CpuTime();
    }
    std::optional<double> some;
    if (before.pressure_some && now.pressure_some &&
        tick_.elapsed > absl::ZeroDuration()) {
      some = (*now.pressure_some - *before.pressure_some).Cpus(tick_.elapsed);
    }
    if (before.throttled && now.throttled)
      result.throttled =
          std::max(*now.throttled - *before.throttled, CpuTime());
    before.usage = now.usage;
    before.pressure_some = now.pressure_some;
    before.throttled = now.throttled;
    before.tick = state_.ticks + 1;
    const PressureReading reading = {
        .use = result.use,
        .some = some,
        .throttled = has_ceiling ? result.throttled : CpuTime(),
        .threads = user.threads,
        .cpus = cpus,
        .node_cpus = tick_.cpus,
        .elapsed = tick_.elapsed};
    const std::optional<CpuTime> demand = DemandFromPressure(reading);
    result.demand_known = demand.has_value();
    result.demand = demand.value_or(result.use);
    result.busy = IsBusy(reading);
    result.backlogged = IsBacklogged(reading, result.demand);
    // What its ceiling holds it is no demand on others, but it is wanted of its
    // siblings, which may have the ceiling's other parts in vain.
    Remember(
        std::max(result.demand, std::min(result.use + result.throttled, most_)),
        before);
    return result;
  }

  // A cgroup that begins to want CPU is known by that at once.
  void Remember(CpuTime demand, CgroupLedger& cgroup) const {
    if (tick_.elapsed <= absl::ZeroDuration()) return;
    const double now = demand.Cpus(tick_.elapsed);
    const double part =
        std::min(1.0, absl::FDivDuration(tick_.elapsed, kWantSpan));
    cgroup.asleep = now < kAsleepCpus ? cgroup.asleep + tick_.elapsed
                                      : absl::ZeroDuration();
    const bool begins = cgroup.want_cpus < kBegins * now;
    cgroup.want_cpus += (now - cgroup.want_cpus) * (begins ? 1 : part);
  }

  // Single processes are read at other times than the node is: what they used
  // may come all at once.
  CpuTime Difference(CpuTime before, CpuTime now, bool sampled) {
    if (now < before) {
      ++state_.counter_resets;
      return CpuTime();
    }
    if (!sampled && now - before > most_) {
      ++state_.counter_clamps;
      return most_;
    }
    return now - before;
  }

  const Tick& tick_;
  const CpuTime most_;  // that can have been used
  State& state_;
};

// The node by itself; what went back, or is more than there was, is nonsense.
void AccountNode(const Sample& sample, State& state, Tick& tick) {
  tick.at = sample.at;
  tick.cpus = std::max(sample.node.cpus, 0.01);
  if (state.ticks == 0) return;
  tick.elapsed = sample.at - state.at;
  const CpuTime all = CpuTime::Of(tick.cpus, tick.elapsed);
  const auto difference = [&](CpuTime before, CpuTime now) {
    if (now < before) ++state.counter_resets;
    return std::clamp(now - before, CpuTime(), all);
  };
  tick.hypervisor_steal =
      difference(state.hypervisor_steal, sample.node.hypervisor_steal);
  tick.capacity = all - tick.hypervisor_steal;
  const CpuTime busy = difference(state.busy, sample.node.busy);
  tick.idle = std::max(tick.capacity - busy, CpuTime());
  tick.unmanaged = std::min(busy, tick.capacity);  // less the managed: below
}

void ForgetTheGone(State& state) {
  absl::erase_if(state.cgroups, [&state](const auto& entry) {
    return entry.second.tick != state.ticks;
  });
  absl::erase_if(state.users, [&state](const auto& entry) {
    return state.at - entry.second.present_at > kKeepAbsent;
  });
}

}  // namespace

Tick Account(const Policy& policy, const Sample& sample, State& state) {
  Tick tick;
  AccountNode(sample, state, tick);
  Accountant accountant(tick, state);
  for (const UserSample& user : sample.users) {
    TickUser entry{.sample = &user,
                   .ledger = &state.users[user.id],
                   .terms = policy.TermsOf(user.id)};
    const Use use = accountant.Take(user, entry.ledger->ceiling);
    entry.use = use.use;
    entry.ledger->totals.throttled += use.throttled;
    entry.busy = use.busy;
    entry.backlogged = use.backlogged;
    if (use.demand_known) entry.demand = use.demand;
    // Whoever was away for a tick wakes anew.
    if (entry.ledger->present_at != state.at) entry.ledger->active = false;
    entry.ledger->present_at = sample.at;
    if (tick.elapsed > absl::ZeroDuration())
      entry.ledger->recent.Add(tick.elapsed, use.use);
    if (!entry.terms.exempt) tick.managed += use.use;
    (entry.terms.exempt ? tick.exempt : tick.users).push_back(entry);
  }
  tick.unmanaged = std::max(tick.unmanaged - tick.managed, CpuTime());

  ++state.ticks;
  state.at = sample.at;
  state.busy = sample.node.busy;
  state.hypervisor_steal = sample.node.hypervisor_steal;
  ForgetTheGone(state);
  return tick;
}

}  // namespace fairsched::core
