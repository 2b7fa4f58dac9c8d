// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_DAEMON_RELEASE_H_
#define FAIRSCHED_SERVER_DAEMON_RELEASE_H_

#include "absl/status/status.h"
#include "agent/kernel/file_system.h"
#include "agent/runtime/clock.h"
#include "server/kernel_node.h"
#include "server/logger.h"

namespace fairsched::server {

// `fairschedd --release`: undoes what a daemon that is no more left, and prints
// to stdout how. Without a journal, values of cgroups that are not ours are
// unknown: under systemd they are put back by a daemon-reload, with the bursts
// of user slices zeroed, for which systemd has no setting. (Not so where the
// service manager says that the daemon ended well: then it undid all itself.)
// Unavailable: something is left, and the journal with it.
absl::Status ReleaseAndTell(kernel::FileSystem& fs, const runtime::Clock& clock,
                            Logger& logger, const KernelOptions& options);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_DAEMON_RELEASE_H_
