// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CONTROLLERS_H_
#define FAIRSCHED_AGENT_KERNEL_CONTROLLERS_H_

#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// Whether `text`, of cgroup.controllers or cgroup.subtree_control, lists
// `controller`. ("cpuset" alone doesn't list "cpu".)
bool ListsController(absl::string_view text, absl::string_view controller);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CONTROLLERS_H_
