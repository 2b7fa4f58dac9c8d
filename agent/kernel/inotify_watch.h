// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_INOTIFY_WATCH_H_
#define FAIRSCHED_AGENT_KERNEL_INOTIFY_WATCH_H_

#include <memory>

#include "absl/status/statusor.h"
#include "agent/kernel/modify_watch.h"

namespace fairsched::kernel {

// By IN_MODIFY of directories. The cgroup file systems send it for every write
// to a file, and nothing when a directory goes: whoever added it removes it.
// ResourceExhausted where this user has no more instances of inotify.
absl::StatusOr<std::unique_ptr<ModifyWatch>> OpenInotifyWatch();

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_INOTIFY_WATCH_H_
