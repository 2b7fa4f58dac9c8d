// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/node.h"

#include <algorithm>

namespace fairsched::runtime {

int64_t WithoutController(const ApplyReport& report) {
  return std::ranges::count_if(report.cgroups, [](const auto& cgroup) {
    return cgroup.second.problem == NotEnforced::kNoController;
  });
}

}  // namespace fairsched::runtime
