// SPDX-License-Identifier: Apache-2.0
#include "tests/support/node_model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace fairsched::testing {
namespace {

constexpr double kStep = 0.005;                   // seconds
constexpr double kIdleWeight = 100 * 3.0 / 1024;  // cpu.idle, in cpu.weight
constexpr double kTiny = 1e-9;

// Weighted max-min of `total` CPUs under caps, by repeated filling.
std::vector<double> Fill(double total, const std::vector<double>& weights,
                         const std::vector<double>& caps) {
  std::vector<double> out(caps.size(), 0.0);
  std::vector<size_t> open;
  for (size_t i = 0; i < caps.size(); ++i) {
    if (caps[i] > kTiny) open.push_back(i);
  }
  while (!open.empty() && total > kTiny) {
    double weight = 0;
    for (const size_t i : open) weight += weights[i];
    const double level = total / weight;
    const size_t full = std::erase_if(open, [&](size_t i) {
      if (caps[i] > level * weights[i] + kTiny) return false;
      out[i] = caps[i];
      total -= caps[i];
      return true;
    });
    if (full > 0) continue;
    for (const size_t i : open) out[i] = level * weights[i];
    break;
  }
  return out;
}

core::CpuTime Time(double seconds) {
  return core::CpuTime::Usec(std::llround(seconds * 1e6));
}

}  // namespace

std::function<int(absl::Duration)> Always(int hogs) {
  return [hogs](absl::Duration) { return hogs; };
}

NodeModel::NodeModel(double cpus, std::vector<ModelUser> users, double noise,
                     uint32_t seed)
    : cpus_(cpus), noise_(noise), random_(seed) {
  for (ModelUser& user : users) {
    Group& group = groups_.emplace_back();
    group.inode = next_inode_++;
    for (const DutyCycle& cycle : user.duty) {
      group.threads.push_back({.cycle = cycle,
                               .left_s = absl::ToDoubleSeconds(cycle.on),
                               .sleep_s = absl::ToDoubleSeconds(cycle.phase)});
    }
    group.user = std::move(user);
  }
  std::ranges::sort(groups_, {}, [](const Group& g) {
    return std::pair(g.owner(), g.user.id);
  });
}

void NodeModel::Run(const core::Policy& policy, absl::Duration span) {
  const double tick = absl::ToDoubleSeconds(policy.settings().tick);
  const auto steps = static_cast<int64_t>(std::llround(tick / kStep));
  const auto ticks =
      static_cast<int64_t>(std::llround(absl::ToDoubleSeconds(span) / tick));
  for (int64_t t = 0; t < ticks; ++t) {
    decision_ = core::Step(policy, Sample(), state_);
    if (observer_) observer_(decision_);
    Apply(decision_);
    for (int64_t s = 0; s < steps; ++s) Step();
  }
}

// Wakes who is due. The CPUs that the group can use in this step.
double NodeModel::Wake(Group& group) {
  group.hogs = group.user.present ? group.user.hogs(absl::Seconds(now_s_)) : 0;
  group.awake = group.hogs;
  double most = group.hogs;
  for (Thread& thread : group.threads) {
    thread.awake = group.user.present && thread.sleep_s <= kTiny;
    if (thread.awake) {
      ++group.awake;
      most += std::min(1.0, thread.left_s / kStep);
    } else {
      thread.sleep_s -= kStep;
    }
  }
  return std::min(most, cpus_);
}

int64_t NodeModel::PeriodOf(const core::Ceiling& ceiling) const {
  return static_cast<int64_t>((now_s_ + kTiny) /
                              absl::ToDoubleSeconds(ceiling.period));
}

// What its ceiling leaves of `cpus` for this step. A debt of the period before
// is paid by the next.
double NodeModel::Throttle(Group& group, double cpus) {
  if (!group.ceiling.has_value()) return cpus;
  const double quota = group.ceiling->quota.seconds();
  const int64_t period = PeriodOf(*group.ceiling);
  if (period != group.period) {
    // Short periods come several to a step.
    group.quota_left_s =
        std::min(group.quota_left_s, group.ceiling->burst.seconds()) +
        quota * static_cast<double>(period - group.period);
    group.period = period;
  }
  const double room = std::max(0.0, group.quota_left_s) / kStep;
  if (room >= cpus) return cpus;
  group.throttled_s +=
      kStep * (1 - room / cpus) * std::min<double>(group.awake, cpus_);
  return room;
}

void NodeModel::Step() {
  std::normal_distribution<double> normal;
  std::vector<double> weights, caps;
  for (Group& group : groups_) {
    caps.push_back(Throttle(group, Wake(group)));
    if (noise_ > 0)
      group.noise = 0.995 * group.noise + noise_ * 0.1 * normal(random_);
    const double weight = group.idle ? kIdleWeight : group.weight;
    weights.push_back(
        group.idle ? weight : weight * group.user.bias * std::exp(group.noise));
  }
  const double room = std::max(0.0, cpus_ - unmanaged_);
  const std::vector<double> got = Fill(room, weights, caps);
  double used = cpus_ - room;
  for (size_t i = 0; i < groups_.size(); ++i) {
    used += got[i];
    Group& group = groups_[i];
    if (group.awake == 0) {
      group.stall_s = 0;
      continue;
    }
    group.stall_s =
        got[i] >= 0.01 * std::min(1.0, caps[i]) ? 0 : group.stall_s + kStep;
    group.longest_stall_s = std::max(group.longest_stall_s, group.stall_s);
    Use(group, got[i]);
  }
  busy_s_ += used * kStep;
  idle_s_ += (cpus_ - used) * kStep;
  now_s_ += kStep;
}

void NodeModel::Use(Group& group, double cpus) {
  group.used_s += cpus * kStep;
  group.quota_left_s -= cpus * kStep;
  group.figure_s += cpus * kStep;
  // A step's pressure: the chance that some thread waits, each by itself.
  const double each = std::min(1.0, cpus / group.awake);
  group.some_s += kStep * (1 - std::pow(each, group.awake));
  if (group.awake > group.hogs) UseThreads(group, cpus);
}

// The shortest job first, as the kernel's short sleepers go.
void NodeModel::UseThreads(Group& group, double cpus) {
  std::vector<Thread*> awake;
  for (Thread& thread : group.threads) {
    if (thread.awake) awake.push_back(&thread);
  }
  std::ranges::sort(awake, {}, [](const Thread* t) { return t->left_s; });
  double left = cpus;
  int others = group.awake;
  for (Thread* thread : awake) {
    const double rate = std::min(1.0, left / others);
    const double run = std::min(rate * kStep, thread->left_s);
    const bool done = run >= thread->left_s - kTiny;
    const double part = done && rate > 0 ? run / rate : kStep;
    left -= run / kStep;
    --others;
    thread->left_s -= run;
    group.job_s += part;
    if (!done) continue;
    thread->left_s = absl::ToDoubleSeconds(thread->cycle.on);
    thread->sleep_s = absl::ToDoubleSeconds(thread->cycle.off) -
                      (kStep - part) + std::min(0.0, thread->sleep_s);
    group.worst_job_s = std::max(group.worst_job_s, group.job_s);
    group.job_s = 0;
  }
}

core::Sample NodeModel::Sample() {
  core::Sample sample{.at = absl::Seconds(now_s_),
                      .node = {.cpus = cpus_, .busy = Time(busy_s_)}};
  for (const Group& group : groups_) {
    if (!group.user.present) continue;
    core::CgroupSample cgroup{.inode = group.inode,
                              .usage = Time(group.used_s)};
    if (group.user.pressure) cgroup.pressure_some = Time(group.some_s);
    cgroup.throttled = Time(group.throttled_s);
    const auto threads =
        static_cast<int64_t>(group.threads.size()) + group.hogs;
    if (sample.users.empty() || sample.users.back().id != group.owner())
      sample.users.push_back(
          {.id = group.owner(), .threads = 0, .processes = 0});
    core::UserSample& user = sample.users.back();
    user.cgroups.push_back(cgroup);
    user.threads = std::max<int64_t>(*user.threads + threads, 1);
    user.processes = *user.processes + threads;
  }
  return sample;
}

void NodeModel::Apply(const core::Decision& decision) {
  const int64_t before = ceiling_writes_;
  for (const core::UserDecision& user : decision.users) {
    for (const core::CgroupDecision& cgroup : user.cgroups) {
      Write(cgroup.wanted,
            *std::ranges::find(groups_, cgroup.inode, &Group::inode));
    }
  }
  most_ceiling_writes_ =
      std::max(most_ceiling_writes_, ceiling_writes_ - before);
}

void NodeModel::Write(core::CpuValues wanted, Group& group) {
  if (wanted.idle && !has_idle_) {
    wanted.idle = false;
    wanted.weight = 1;
  }
  // A weight can't be written to an idle group; leaving idle, it is.
  const bool weigh = !wanted.idle && wanted.weight != group.weight;
  writes_ += (wanted.idle != group.idle ? 1 : 0) + (weigh ? 1 : 0);
  group.idle = wanted.idle;
  if (weigh) group.weight = wanted.weight;
  if (wanted.ceiling == group.ceiling) return;
  ++ceiling_writes_;
  group.ceiling = wanted.ceiling;
  if (!wanted.ceiling.has_value()) return;
  group.quota_left_s = wanted.ceiling->quota.seconds();
  group.period = PeriodOf(*wanted.ceiling);
}

double NodeModel::Cpus(const core::UserId& id) const {
  return Find(id).figure_s / (now_s_ - figures_since_s_);
}

double NodeModel::IdleCpus() const {
  return idle_s_ / (now_s_ - figures_since_s_);
}

absl::Duration NodeModel::LongestStall(const core::UserId& id) const {
  return absl::Seconds(Find(id).longest_stall_s);
}

absl::Duration NodeModel::WorstJob(const core::UserId& id) const {
  const Group& group = Find(id);
  return absl::Seconds(std::max(group.worst_job_s, group.job_s));
}

void NodeModel::ResetFigures() {
  figures_since_s_ = now_s_;
  idle_s_ = 0;
  writes_ = ceiling_writes_ = most_ceiling_writes_ = 0;
  for (Group& group : groups_) {
    group.figure_s = group.longest_stall_s = group.worst_job_s = 0;
  }
}

void NodeModel::SetPresent(const core::UserId& id, bool present) {
  Group& group = Find(id);
  if (present && !group.user.present) {
    group.inode = next_inode_++;
    group.weight = 100;
    group.idle = false;
    group.ceiling.reset();
    group.used_s = group.some_s = group.throttled_s = 0;
  }
  group.user.present = present;
}

NodeModel::Group& NodeModel::Find(const core::UserId& id) {
  return *std::ranges::find(groups_, id,
                            [](const Group& g) { return g.user.id; });
}

const NodeModel::Group& NodeModel::Find(const core::UserId& id) const {
  return *std::ranges::find(groups_, id,
                            [](const Group& g) { return g.user.id; });
}

}  // namespace fairsched::testing
