// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CGROUP_GLOB_H_
#define FAIRSCHED_AGENT_KERNEL_CGROUP_GLOB_H_

#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// Whether the whole of `name`, of one cgroup, is what `pattern` says: '*' is
// any number of bytes, '?' is one, and every other byte is itself. Takes time
// in the order of the product of their lengths, at most.
bool MatchesGlob(absl::string_view pattern, absl::string_view name);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CGROUP_GLOB_H_
