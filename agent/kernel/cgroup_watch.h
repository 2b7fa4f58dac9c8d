// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CGROUP_WATCH_H_
#define FAIRSCHED_AGENT_KERNEL_CGROUP_WATCH_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace fairsched::kernel {

// A thread that calls when cgroups are made or removed in directories that are
// watched: for a scan that does not wait for its turn. A hint, never the truth:
// what can't be watched is found by the scans alone. Not thread-safe.
class CgroupWatch {
 public:
  // Returns how long not to call again: what comes meanwhile is one call.
  using OnChange = std::function<absl::Duration()>;

  // More directories than this are not watched: the first ones by path are.
  static constexpr size_t kMaxDirectories = 4096;

  // An error: this node has no inotify instance left for us.
  static absl::StatusOr<std::unique_ptr<CgroupWatch>> Open(OnChange on_change);
  ~CgroupWatch();  // waits for a call that is under way
  CgroupWatch(const CgroupWatch&) = delete;
  CgroupWatch& operator=(const CgroupWatch&) = delete;

  // Watches these, by absolute path, from now on, and no others; what was
  // removed and made anew is watched again.
  void Set(const std::set<std::string>& directories);

 private:
  CgroupWatch(int inotify, int stop, OnChange on_change);
  void Run();
  // Waits for a change, or at most for `time`. False: it is time to stop.
  bool Wait(bool for_changes, absl::Duration time);
  void Drain();

  const int inotify_;
  const int stop_;  // an eventfd
  const OnChange on_change_;
  std::set<int> watches_;  // what inotify calls those of the last Set()
  std::thread thread_;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CGROUP_WATCH_H_
