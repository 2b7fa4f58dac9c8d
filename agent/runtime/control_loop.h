// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_RUNTIME_CONTROL_LOOP_H_
#define FAIRSCHED_AGENT_RUNTIME_CONTROL_LOOP_H_

#include <deque>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "agent/core/checkpoint.h"
#include "agent/core/engine.h"
#include "agent/runtime/clock.h"
#include "agent/runtime/mutex.h"
#include "agent/runtime/node.h"
#include "agent/runtime/snapshot.h"

namespace fairsched::runtime {

// Samples, decides and applies, once per Tick(). Owns no thread: whoever has
// the thread (Ticker, or a test) calls Tick(), or Turn() every Pause().
//
// While users compete it trims between two ticks, too (core/yield.h): a tick is
// as long as load balancers need to make a user of small shares lose 1 % of ten
// seconds. A trim reads the use of who competes and writes who yields.
//
// Fails open: after kTicksToRelease ticks in a row without a sample, or with
// most cgroups not as decided, every value is given back until a tick works
// again. A late tick is no failure.
//
// Thread-safe: SetPolicy() and Latest() may be called at any time, from any
// thread; the others from one thread at a time.
class ControlLoop {
 public:
  static constexpr int kTicksToRelease = 3;
  static constexpr absl::Duration kCheckpointEvery = absl::Seconds(1);

  struct Deps {
    const Clock& clock;
    Sampler& sampler;
    Actuator& actuator;
  };
  ControlLoop(Deps deps, std::shared_ptr<const core::Policy> policy);

  // Before the first Tick(): goes on with these accounts.
  void Resume(const core::Checkpoint& checkpoint);

  void Tick() ABSL_LOCKS_EXCLUDED(mutex_);
  // A tick if one is due, else a trim. Whether it was a tick.
  bool Turn() ABSL_LOCKS_EXCLUDED(mutex_);
  // To the next turn: a tick's length, or a quarter of it while there is
  // something to trim.
  absl::Duration Pause() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Gives every value back. The last word: no Tick() may follow.
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);

  // Holds from the next Tick() on.
  void SetPolicy(std::shared_ptr<const core::Policy> policy)
      ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<const core::Policy> policy() const
      ABSL_LOCKS_EXCLUDED(mutex_);
  // What the last tick left; never null, empty before the first.
  std::shared_ptr<const Snapshot> Latest() const ABSL_LOCKS_EXCLUDED(mutex_);
  // The accounts, at most kCheckpointEvery old, and of the end after Stop().
  // Null before the first tick.
  std::shared_ptr<const core::Checkpoint> LatestCheckpoint() const
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // What follows on a sample: decide, apply or release, report.
  void Decide(const core::Policy& policy, const core::Sample& sample,
              Snapshot& next);
  bool MayTrim() const;
  void Trim(absl::Duration now);
  void Keep(const core::WindowReport& window, Snapshot& next);
  void FailOpen(Snapshot& next);
  void Release(Snapshot& next, Enforcement enforcement);
  void SaveCheckpoint() ABSL_LOCKS_EXCLUDED(mutex_);
  void Publish(std::shared_ptr<const Snapshot> snapshot)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const Deps deps_;
  // Touched by Tick(), Turn(), Pause() and Stop() only.
  core::State state_;
  std::shared_ptr<const std::deque<core::WindowReport>> windows_;
  absl::Duration last_tick_ = -absl::InfiniteDuration();
  absl::Duration last_checkpoint_ = -absl::InfiniteDuration();
  int bad_ticks_ = 0;     // in a row
  bool applied_ = false;  // something of ours may be in the kernel

  mutable Mutex mutex_;
  std::shared_ptr<const core::Policy> policy_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const core::Checkpoint> checkpoint_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Snapshot> latest_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fairsched::runtime

#endif  // FAIRSCHED_AGENT_RUNTIME_CONTROL_LOOP_H_
