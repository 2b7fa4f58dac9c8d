// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_OWN_PARENT_H_
#define FAIRSCHED_AGENT_KERNEL_OWN_PARENT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/hierarchies.h"

namespace fairsched::kernel {

// Where our tree belongs on a node whose cgroups systemd keeps, for
// TreeLayout::Make: into the cgroup of the unit that this process is started
// as, which systemd must have been told to delegate. "": the root.
//
// What systemd runs beside or after the service itself, like ExecStopPost=, is
// in a cgroup ".control" below the unit's: that counts as the unit's, too.
//
// An error where /proc can't be read. FailedPrecondition: the cgroup can't be
// seen from here.
absl::StatusOr<std::string> UnitCgroup(FileSystem& fs,
                                       absl::string_view proc_root,
                                       const Hierarchies& hierarchies);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_OWN_PARENT_H_
