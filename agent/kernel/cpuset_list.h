// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CPUSET_LIST_H_
#define FAIRSCHED_AGENT_KERNEL_CPUSET_LIST_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// How many CPUs a list such as "0-3,8-11" names, 0 for an empty one. `text` is
// of cpuset.cpus.effective or /sys/devices/system/cpu/online. InvalidArgument
// for anything but numbers and ranges in rising order.
absl::StatusOr<int64_t> CountCpus(absl::string_view text);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CPUSET_LIST_H_
