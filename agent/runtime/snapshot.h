// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_RUNTIME_SNAPSHOT_H_
#define FAIRSCHED_AGENT_RUNTIME_SNAPSHOT_H_

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "agent/core/decision.h"
#include "agent/core/policy.h"
#include "agent/runtime/node.h"

namespace fairsched::runtime {

// Whether decisions reach the kernel.
enum class Enforcement {
  kObserving,  // by policy: nothing is written
  kEnforcing,
  kReleased,  // by policy it should enforce, but it failed open
};

// A histogram in the sense of Prometheus: how many ticks took at most as long.
struct TickHistogram {
  static constexpr std::array<double, 9> kBoundsSeconds = {
      0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1};
  std::array<uint64_t, kBoundsSeconds.size() + 1> counts{};  // last: above all
  double sum_seconds = 0;
  void Observe(absl::Duration duration);
};

struct LoopStats {
  uint64_t ticks = 0;
  uint64_t failed_ticks = 0;  // without a sample
  uint64_t overruns = 0;      // ticks that began more than one tick late
  uint64_t releases = 0;      // times that it failed open
  TickHistogram tick_seconds;
};

// All that readers see of one tick: immutable, shared, consistent.
struct Snapshot {
  absl::Time time;  // of day, of the sample
  std::shared_ptr<const core::Policy> policy;
  core::Decision decision;
  ApplyReport applied;
  Enforcement enforcement = Enforcement::kObserving;
  absl::Status last_error;  // of the last tick that failed; OK: none
  LoopStats stats;
  // The last windows that ended, the newest last, at most kKeptWindows.
  static constexpr size_t kKeptWindows = 64;
  std::shared_ptr<const std::deque<core::WindowReport>> windows;
};

}  // namespace fairsched::runtime

#endif  // FAIRSCHED_AGENT_RUNTIME_SNAPSHOT_H_
