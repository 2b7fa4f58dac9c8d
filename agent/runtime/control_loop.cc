// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/control_loop.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fairsched::runtime {
namespace {

// Of a tick. A trim costs a read for each contender; where they are very many
// that would be too much.
constexpr double kTrimPart = 0.25;
constexpr size_t kMostTrimmed = 128;

// Who writes other values than ours must not get rid of us, and what we let
// alone by ourselves is no failure; without the controller nobody is held back,
// and there is nothing to give back.
bool Fails(const AppliedCgroup& cgroup) {
  return cgroup.problem.has_value() &&
         cgroup.problem != NotEnforced::kOtherWriter &&
         cgroup.problem != NotEnforced::kNoController &&
         cgroup.problem != NotEnforced::kNested &&
         cgroup.problem != NotEnforced::kOwnCgroup;
}

// One user whose values the kernel refuses must not free all the others.
bool MostCgroupsFail(const ApplyReport& report) {
  size_t failing = 0;
  for (const auto& [inode, cgroup] : report.cgroups)
    failing += Fails(cgroup) ? 1 : 0;
  return failing * 2 > report.cgroups.size();
}

}  // namespace

ControlLoop::ControlLoop(Deps deps, std::shared_ptr<const core::Policy> policy)
    : deps_(deps),
      windows_(std::make_shared<const std::deque<core::WindowReport>>()),
      policy_(policy) {
  auto first = std::make_shared<Snapshot>();
  first->time = deps_.clock.WallTime();
  first->policy = std::move(policy);
  first->windows = windows_;
  latest_ = std::move(first);
}

void ControlLoop::Resume(const core::Checkpoint& checkpoint) {
  state_ = core::Resume(checkpoint, deps_.clock.Now());
}

void ControlLoop::Tick() {
  const std::shared_ptr<const core::Policy> now_policy = policy();
  const absl::Duration start = deps_.clock.Now();
  // What nothing new is learned about stays as it was.
  auto next = std::make_shared<Snapshot>(*Latest());
  next->policy = now_policy;
  ++next->stats.ticks;
  if (start - last_tick_ > now_policy->settings().tick * 2)
    next->stats.overruns += next->stats.ticks > 1 ? 1 : 0;
  last_tick_ = start;

  const absl::StatusOr<core::Sample> sample =
      deps_.sampler.Take(*now_policy, start);
  if (sample.ok()) {
    Decide(*now_policy, *sample, *next);
  } else {
    ++next->stats.failed_ticks;
    next->last_error = sample.status();
    ++bad_ticks_;
  }
  if (bad_ticks_ >= kTicksToRelease) FailOpen(*next);
  if (sample.ok() && start - last_checkpoint_ >= kCheckpointEvery) {
    last_checkpoint_ = start;
    SaveCheckpoint();
  }

  next->stats.tick_seconds.Observe(deps_.clock.Now() - start);
  Publish(std::move(next));
}

bool ControlLoop::Turn() {
  const absl::Duration now = deps_.clock.Now();
  if (now - last_tick_ > policy()->settings().tick * (1 - kTrimPart / 2)) {
    Tick();
    return true;
  }
  if (MayTrim()) Trim(now);
  return false;
}

absl::Duration ControlLoop::Pause() const {
  const absl::Duration tick = policy()->settings().tick;
  return MayTrim() ? tick * kTrimPart : tick;
}

bool ControlLoop::MayTrim() const {
  return applied_ && bad_ticks_ == 0 && state_.contenders.size() > 1 &&
         state_.contenders.size() <= kMostTrimmed;
}

void ControlLoop::Trim(absl::Duration now) {
  std::vector<uint64_t> inodes;
  for (const core::Contender& contender : state_.contenders) {
    for (const core::Contender::Cgroup& cgroup : contender.cgroups)
      inodes.push_back(cgroup.inode);
  }
  const std::vector<core::CgroupDecision> changes =
      core::Trim(deps_.sampler.TakeUse(inodes, now), state_);
  if (!changes.empty()) deps_.actuator.Adjust(changes, now);
}

void ControlLoop::Decide(const core::Policy& policy, const core::Sample& sample,
                         Snapshot& next) {
  next.last_error = absl::OkStatus();
  if (state_.ticks == 0 || sample.at > state_.at) {
    next.time = deps_.clock.WallTime();
    next.decision = core::Step(policy, sample, state_);
    if (next.decision.ended.has_value()) Keep(*next.decision.ended, next);
  }
  if (policy.settings().mode == core::Mode::kObserve) {
    bad_ticks_ = 0;
    Release(next, Enforcement::kObserving);
    return;
  }
  next.applied = deps_.actuator.Apply(next.decision);
  applied_ = true;
  bad_ticks_ = MostCgroupsFail(next.applied) ? bad_ticks_ + 1 : 0;
  next.enforcement = Enforcement::kEnforcing;
}

void ControlLoop::Keep(const core::WindowReport& window, Snapshot& next) {
  // Readers hold the old list: a new one is made, once a window.
  auto windows = std::make_shared<std::deque<core::WindowReport>>(*windows_);
  windows->push_back(window);
  if (windows->size() > Snapshot::kKeptWindows) windows->pop_front();
  windows_ = std::move(windows);
  next.windows = windows_;
}

void ControlLoop::FailOpen(Snapshot& next) {
  if (next.policy->settings().mode == core::Mode::kObserve) return;
  if (applied_) ++next.stats.releases;
  if (next.last_error.ok())
    next.last_error = absl::UnavailableError("most writes to cgroups fail");
  Release(next, Enforcement::kReleased);
}

void ControlLoop::Release(Snapshot& next, Enforcement enforcement) {
  if (applied_) {
    next.applied = deps_.actuator.Release();
    // What could not be given back is tried again by the next tick.
    applied_ = next.applied.failed_writes > 0;
  }
  next.enforcement = enforcement;
}

void ControlLoop::Stop() {
  auto next = std::make_shared<Snapshot>(*Latest());
  Release(*next, Enforcement::kReleased);
  Publish(std::move(next));
  if (state_.ticks > 0) SaveCheckpoint();
}

void ControlLoop::SaveCheckpoint() {
  auto checkpoint =
      std::make_shared<const core::Checkpoint>(core::Save(state_));
  MutexLock lock(mutex_);
  checkpoint_.swap(checkpoint);
}

std::shared_ptr<const core::Checkpoint> ControlLoop::LatestCheckpoint() const {
  MutexLock lock(mutex_);
  return checkpoint_;
}

void ControlLoop::SetPolicy(std::shared_ptr<const core::Policy> policy) {
  MutexLock lock(mutex_);
  policy_ = std::move(policy);
}

std::shared_ptr<const core::Policy> ControlLoop::policy() const {
  MutexLock lock(mutex_);
  return policy_;
}

std::shared_ptr<const Snapshot> ControlLoop::Latest() const {
  MutexLock lock(mutex_);
  return latest_;
}

void ControlLoop::Publish(std::shared_ptr<const Snapshot> snapshot) {
  MutexLock lock(mutex_);
  latest_.swap(snapshot);
  // The old one, if it was the last reference, is freed after the lock.
}

}  // namespace fairsched::runtime
