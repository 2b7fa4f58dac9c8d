// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_RUNTIME_WORKER_H_
#define FAIRSCHED_AGENT_RUNTIME_WORKER_H_

#include <atomic>
#include <functional>
#include <semaphore>
#include <thread>

#include "absl/time/time.h"

namespace fairsched::runtime {

// A thread that does its work again and again, with a wait between that each
// turn chooses, and that can be woken from it.
//
// Thread-safe, but Start() and Stop() are one thread's.
class Worker {
 public:
  // Returns how long to wait until the next turn.
  using Turn = std::function<absl::Duration()>;

  Worker() = default;
  ~Worker();  // calls Stop()
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // The first turn comes after `wait`. It must not be running.
  void Start(absl::Duration wait, Turn turn);
  // The next turn comes at once; during a turn, right after it; before Start(),
  // with it. Many calls are one.
  void Wake();
  // Waits for a turn that is under way; none follows. Idempotent.
  void Stop();

 private:
  void Run(absl::Duration wait, const Turn& turn);
  void WaitFor(absl::Duration wait);

  std::atomic<bool> stopping_ = false;
  std::atomic<bool> woken_ = false;  // wake_ was or is being released
  std::binary_semaphore wake_{0};
  std::thread thread_;
};

}  // namespace fairsched::runtime

#endif  // FAIRSCHED_AGENT_RUNTIME_WORKER_H_
