// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_RUNTIME_TICKER_H_
#define FAIRSCHED_AGENT_RUNTIME_TICKER_H_

#include <functional>
#include <thread>

#include "absl/time/time.h"
#include "agent/runtime/clock.h"

namespace fairsched::runtime {

// When the next tick is due: the first multiple of `tick` after `start` that is
// later than `now`. Ticks that were missed are skipped, not made up for.
absl::Duration NextDeadline(absl::Duration start, absl::Duration tick,
                            absl::Duration now);

// A thread that calls `work` at fixed points of time, `tick()` apart, which may
// change between two calls. Times do not drift.
class Ticker {
 public:
  Ticker(const Clock& clock, std::function<absl::Duration()> tick,
         std::function<void()> work);
  ~Ticker();  // calls Stop()
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

  // Waits for a call that is under way; none follows. Idempotent.
  void Stop();

 private:
  void Run(std::stop_token stop);

  const Clock& clock_;
  const std::function<absl::Duration()> tick_;
  const std::function<void()> work_;
  std::jthread thread_;
};

}  // namespace fairsched::runtime

#endif  // FAIRSCHED_AGENT_RUNTIME_TICKER_H_
