// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/worker.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace fairsched::runtime {
namespace {

// The library adds a wait to the time of day, which must not overflow.
constexpr absl::Duration kLongestWait = absl::Hours(1);

}  // namespace

Worker::~Worker() { Stop(); }

void Worker::Start(absl::Duration wait, Turn turn) {
  stopping_ = false;
  thread_ =
      std::thread([this, wait, turn = std::move(turn)] { Run(wait, turn); });
}

void Worker::Wake() {
  // A binary semaphore must not be released twice.
  if (!woken_.exchange(true)) wake_.release();
}

void Worker::Stop() {
  if (!thread_.joinable()) return;
  stopping_ = true;
  Wake();
  thread_.join();
}

void Worker::Run(absl::Duration wait, const Turn& turn) {
  for (;;) {
    WaitFor(wait);
    if (stopping_) return;
    wait = turn();
  }
}

void Worker::WaitFor(absl::Duration wait) {
  while (wait > absl::ZeroDuration()) {
    const absl::Duration part = std::min(wait, kLongestWait);
    if (wake_.try_acquire_for(absl::ToChronoNanoseconds(part))) {
      // Before the turn, so that a wake-up during it counts again.
      woken_ = false;
      return;
    }
    wait -= part;
  }
}

}  // namespace fairsched::runtime
