// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_NODE_TOTALS_H_
#define FAIRSCHED_SERVER_NODE_TOTALS_H_

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "agent/core/decision.h"
#include "agent/runtime/mutex.h"

namespace fairsched::server {

// The node's CPU time since the first tick that was added.
struct NodeCpuTime {
  core::CpuTime capacity;  // hypervisor steal taken off
  core::CpuTime busy;      // used by anything
  core::CpuTime idle;
  core::CpuTime exempt;  // used by exempt users; part of busy
  core::CpuTime other;   // used by what is nobody's; part of busy
  core::CpuTime hypervisor_steal;
};

// Sums up what each tick says of the node. Ticks that are not added are
// missing. Thread-safe.
class NodeTotals {
 public:
  // Each tick counts once, and only if it is later than the ones before.
  void Add(const core::Decision& decision) ABSL_LOCKS_EXCLUDED(mutex_);
  NodeCpuTime Read() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable runtime::Mutex mutex_;
  absl::Duration last_ ABSL_GUARDED_BY(mutex_) = -absl::InfiniteDuration();
  NodeCpuTime totals_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_NODE_TOTALS_H_
