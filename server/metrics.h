// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_METRICS_H_
#define FAIRSCHED_SERVER_METRICS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "agent/runtime/control_loop.h"
#include "agent/runtime/mutex.h"
#include "agent/runtime/node.h"
#include "server/node_totals.h"
#include "server/policy_store.h"
#include "server/rpc_stats.h"

namespace fairsched::server {

// The metrics page, in Prometheus' text format. Built when it is asked for, at
// most once for each snapshot. Thread-safe.
class Metrics {
 public:
  // Must outlive it.
  struct Deps {
    const runtime::ControlLoop& loop;
    const runtime::Placement& placement;
    const PolicyStore& store;
    const RpcStats& rpc_stats;
  };
  struct Options {
    absl::Time start_time;             // of the daemon
    std::function<size_t()> watchers;  // open calls of WatchUsage
  };
  Metrics(const Deps& deps, Options options);

  // To be called after every tick: the node's totals are sums over ticks.
  void AddTick();

  // The same string for the same snapshot; never null.
  std::shared_ptr<const std::string> Text() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  std::string Build(const runtime::Snapshot& snapshot) const;

  const Deps deps_;
  const Options options_;
  NodeTotals totals_;

  runtime::Mutex mutex_;
  // That text_ shows; kept, so that no other can have its address.
  std::shared_ptr<const runtime::Snapshot> shown_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const std::string> text_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_METRICS_H_
