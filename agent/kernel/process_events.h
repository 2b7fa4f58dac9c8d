// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_PROCESS_EVENTS_H_
#define FAIRSCHED_AGENT_KERNEL_PROCESS_EVENTS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace fairsched::kernel {

// What the kernel told. A hint, never the truth: messages get lost.
struct ProcessHints {
  std::vector<int64_t> uid_changed;  // pids, in the order of their changes
  // Some were lost, or could not be understood: only a scan will tell.
  bool lost = false;
};

// The hints in one datagram of the kernel's process event connector
// (linux/cn_proc.h). Whatever is no event of a changed uid is passed over; what
// is cut short or inconsistent is `lost`.
ProcessHints ParseProcessEvents(absl::string_view datagram);

// Tells which processes change their uid, as the kernel sees it: whoever logs
// in is known at once, where a scan would take its time. Not thread-safe, but
// Interrupt().
class ProcessEvents {
 public:
  virtual ~ProcessEvents() = default;
  // Waits for hints; none: Interrupt() came. An error: there will be no more.
  virtual absl::StatusOr<ProcessHints> Wait() = 0;
  // Returns after `time`, or on Interrupt(). Hints that come meanwhile are
  // kept.
  virtual void Rest(absl::Duration time) = 0;
  // From now on Wait() and Rest() return at once. Thread-safe.
  virtual void Interrupt() = 0;
};

// The real ones. Needs CAP_NET_ADMIN in the initial namespaces, and a kernel
// with CONFIG_PROC_EVENTS; an error says which is missing.
absl::StatusOr<std::unique_ptr<ProcessEvents>> OpenProcessEvents();

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_PROCESS_EVENTS_H_
