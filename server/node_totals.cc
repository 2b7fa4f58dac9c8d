// SPDX-License-Identifier: Apache-2.0
#include "server/node_totals.h"

#include "server/convert_usage.h"

namespace fairsched::server {

using runtime::MutexLock;

void NodeTotals::Add(const core::Decision& decision) {
  const core::NodeDecision& node = decision.node;
  if (node.elapsed <= absl::ZeroDuration()) return;
  const auto exempt = core::CpuTime::Of(ExemptCpus(decision), node.elapsed);
  MutexLock lock(mutex_);
  if (decision.at <= last_) return;
  last_ = decision.at;
  totals_.capacity += node.capacity;
  totals_.busy += node.managed + node.unmanaged;
  totals_.idle += node.idle;
  totals_.exempt += exempt;
  totals_.other += node.unmanaged - exempt;
  totals_.hypervisor_steal += node.hypervisor_steal;
}

NodeCpuTime NodeTotals::Read() const {
  MutexLock lock(mutex_);
  return totals_;
}

}  // namespace fairsched::server
