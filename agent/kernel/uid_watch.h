// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_UID_WATCH_H_
#define FAIRSCHED_AGENT_KERNEL_UID_WATCH_H_

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "absl/time/time.h"
#include "agent/kernel/process_events.h"

namespace fairsched::kernel {

// A thread that calls when processes have changed their uid: for a scan that
// does not wait for its turn. Where hints end, it ends; the scans in their turn
// go on without it.
class UidWatch {
 public:
  // Returns how long not to call again: what comes meanwhile is one call.
  using OnChange = std::function<absl::Duration()>;

  UidWatch(std::unique_ptr<ProcessEvents> events, OnChange on_change);
  ~UidWatch();  // waits for a call that is under way
  UidWatch(const UidWatch&) = delete;
  UidWatch& operator=(const UidWatch&) = delete;

 private:
  void Run();
  // False: it is time to stop, or there will be no more hints.
  bool WaitForChange();

  const std::unique_ptr<ProcessEvents> events_;
  const OnChange on_change_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_UID_WATCH_H_
