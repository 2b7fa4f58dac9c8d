// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/adopted_actuator.h"

#include <memory>

namespace fairsched::kernel {

runtime::ApplyReport AdoptedActuator::Apply(const core::Decision& decision) {
  const std::shared_ptr<const Adoption> adoption = adoption_.Latest();
  runtime::ApplyReport report = actuator_.Apply(decision);
  for (const AdoptedCgroup& cgroup : adoption->cgroups) {
    if (!cgroup.refused.has_value()) continue;
    report.cgroups[RefusedInode(cgroup.inode)] = {
        .path = cgroup.path,
        .problem = cgroup.refused,
        .problem_text = cgroup.why_refused};
  }
  return report;
}

}  // namespace fairsched::kernel
