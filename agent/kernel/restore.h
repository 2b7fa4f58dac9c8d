// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_RESTORE_H_
#define FAIRSCHED_AGENT_KERNEL_RESTORE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/hierarchies.h"
#include "agent/kernel/journal_format.h"

namespace fairsched::kernel {

struct RestoreReport {
  int64_t restored = 0;  // cgroups that read as before our first write
  // Not touched: gone, or another one at the same path, or without the cpu
  // controller and so without values.
  int64_t gone = 0;
  std::vector<std::string> failed;  // paths below the mount
  absl::Status first_error;
};

// Gives the cgroups in `entries` that are not ours their values back, byte for
// byte. Their files are of `backend`, in the first mount of `entries`.
RestoreReport RestoreValues(FileSystem& fs, Backend backend,
                            const JournalEntries& entries);

// What can be done for such cgroups without a journal, where systemd manages
// them: zeroes the bursts of user slices in the unified tree at `mount`, which
// systemd has no setting for. The other values are put back by a daemon-reload,
// which is the caller's to ask for.
RestoreReport ZeroBursts(FileSystem& fs, const std::string& mount);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_RESTORE_H_
