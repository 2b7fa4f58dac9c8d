// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_MOUNTINFO_H_
#define FAIRSCHED_AGENT_KERNEL_MOUNTINFO_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// One line of /proc/PID/mountinfo, as far as it concerns us.
struct Mount {
  std::string root;   // what of the file system is mounted: "/", or a part
  std::string point;  // where
  std::string type;   // "cgroup2"
  std::vector<std::string> super_options;  // "rw", "cpu"
  friend bool operator==(const Mount&, const Mount&) = default;
};

// In the order of the file. A line of another form is left out: the last one
// is cut where the file is longer than we read.
// https://docs.kernel.org/filesystems/proc.html (3.5)
std::vector<Mount> ParseMountinfo(absl::string_view text);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_MOUNTINFO_H_
