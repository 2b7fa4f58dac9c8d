// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_NODE_MODEL_H_
#define FAIRSCHED_TESTS_SUPPORT_NODE_MODEL_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "agent/core/decision.h"
#include "agent/core/engine.h"
#include "agent/core/policy.h"
#include "agent/core/sample.h"

namespace fairsched::testing {

// A thread that works for `on` of CPU, sleeps for `off`, and again: a job that
// is late delays the next.
struct DutyCycle {
  absl::Duration on, off;
  absl::Duration phase;  // sleeps so long at first
};

// What one user of the model runs, in one cgroup or a part of several.
struct ModelUser {
  core::UserId id;  // of the user or, if `of` is set, of one cgroup of it
  // How many threads always run, at a time since the start.
  std::function<int(absl::Duration)> hogs = [](absl::Duration) { return 0; };
  std::vector<DutyCycle> duty;
  double bias = 1;  // the load balancer's error: its weight counts so much
  bool present = true;
  bool pressure = true;  // the node has cpu.pressure
  core::UserId of;       // the user whose cgroup it is; empty: `id`
};

std::function<int(absl::Duration)> Always(int hogs);

// A fluid model of a node's scheduler: weighted max-min among sibling cgroups,
// in steps of 5 ms. Knows threads (one CPU each), duty cycles, cpu.weight in
// whole numbers, cpu.idle as weight 3 of 1024, cpu.max with its period (every
// write hands out a fresh quota), and noise and bias of the load balancer. Does
// not know placement on single CPUs, the settling time of weights, or the
// latency of wake-ups. Deterministic.
class NodeModel {
 public:
  NodeModel(double cpus, std::vector<ModelUser> users, double noise = 0.03,
            uint32_t seed = 1);

  // Runs for `span`: every policy tick samples, steps the engine and applies.
  void Run(const core::Policy& policy, absl::Duration span);

  // CPUs that a user got since the last ResetFigures().
  double Cpus(const core::UserId& id) const;
  // Of the node since then, idle.
  double IdleCpus() const;
  // The longest time that the user could run and got less than a hundredth of
  // a CPU, and the longest from the waking of a duty thread to the end of its
  // job; since then.
  absl::Duration LongestStall(const core::UserId& id) const;
  absl::Duration WorstJob(const core::UserId& id) const;
  int64_t writes() const { return writes_; }
  // Of cpu.max: all, and the most in one tick.
  int64_t ceiling_writes() const { return ceiling_writes_; }
  int64_t most_ceiling_writes() const { return most_ceiling_writes_; }
  void ResetFigures();

  // Uses `cpus` by what is not managed, ahead of everybody; from now on.
  void SetUnmanaged(double cpus) { unmanaged_ = cpus; }
  // The user gets next to nothing, whatever is decided; from now on.
  void Starve(const core::UserId& id) { Find(id).user.bias = 1e-6; }
  // The kernel has no cpu.idle: the demoted get the least weight.
  void WithoutIdle() { has_idle_ = false; }
  void SetPresent(const core::UserId& id, bool present);
  void SetPolicyObserver(std::function<void(const core::Decision&)> observer) {
    observer_ = std::move(observer);
  }

  const core::State& state() const { return state_; }
  core::State& mutable_state() { return state_; }
  absl::Duration now() const { return absl::Seconds(now_s_); }
  const core::Decision& decision() const { return decision_; }

 private:
  struct Thread {
    DutyCycle cycle;
    double left_s = 0, sleep_s = 0;
    double run_s = 0, wait_s = 0;  // in this tick
    bool awake = true;
  };
  struct Group {
    ModelUser user;
    const core::UserId& owner() const {
      return user.of.empty() ? user.id : user.of;
    }
    uint64_t inode = 0;
    std::vector<Thread> threads;
    int weight = 100;
    bool idle = false;
    std::optional<core::Ceiling> ceiling;
    double quota_left_s = 0;  // of this period
    int64_t period = 0;
    double noise = 0;
    double used_s = 0, some_s = 0, throttled_s = 0;  // counters
    double hog_wait_s = 0;
    int hogs = 0, awake = 0;
    double figure_s = 0, stall_s = 0, longest_stall_s = 0;
    double job_s = 0, worst_job_s = 0;
  };

  void Step();
  double Wake(Group& group);
  double Throttle(Group& group, double cpus);
  // The number of the period that it is now.
  int64_t PeriodOf(const core::Ceiling& ceiling) const;
  void Use(Group& group, double cpus);
  void UseThreads(Group& group, double cpus);
  core::Sample Sample();
  void Apply(const core::Decision& decision);
  void Write(core::CpuValues wanted, Group& group);
  Group& Find(const core::UserId& id);
  const Group& Find(const core::UserId& id) const;

  const double cpus_, noise_;
  std::mt19937 random_;
  std::deque<Group> groups_;
  uint64_t next_inode_ = 1;
  double now_s_ = 0, busy_s_ = 0, figures_since_s_ = 0, idle_s_ = 0;
  double unmanaged_ = 0;
  bool has_idle_ = true;
  int64_t writes_ = 0, ceiling_writes_ = 0, most_ceiling_writes_ = 0;
  core::State state_;
  core::Decision decision_;
  std::function<void(const core::Decision&)> observer_;
};

}  // namespace fairsched::testing

#endif  // FAIRSCHED_TESTS_SUPPORT_NODE_MODEL_H_
