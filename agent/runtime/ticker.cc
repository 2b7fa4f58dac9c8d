// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/ticker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace fairsched::runtime {

absl::Duration NextDeadline(absl::Duration start, absl::Duration tick,
                            absl::Duration now) {
  const absl::Duration since = std::max(now - start, absl::ZeroDuration());
  return start + tick * (since / tick + 1);
}

Ticker::Ticker(const Clock& clock, std::function<absl::Duration()> tick,
               std::function<void()> work)
    : clock_(clock),
      tick_(std::move(tick)),
      work_(std::move(work)),
      thread_([this](std::stop_token stop) { Run(std::move(stop)); }) {}

Ticker::~Ticker() { Stop(); }

void Ticker::Stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void Ticker::Run(std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any sleep;
  absl::Duration start = clock_.Now();
  absl::Duration tick = tick_();
  while (!stop.stop_requested()) {
    work_();
    if (const absl::Duration now_tick = tick_(); now_tick != tick) {
      tick = now_tick;
      start = clock_.Now();
    }
    const absl::Duration now = clock_.Now();
    const absl::Duration left = NextDeadline(start, tick, now) - now;
    std::unique_lock<std::mutex> lock(mutex);
    sleep.wait_for(lock, stop, absl::ToChronoNanoseconds(left),
                   [] { return false; });
  }
}

}  // namespace fairsched::runtime
