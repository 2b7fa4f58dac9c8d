// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_DISSOLVE_H_
#define FAIRSCHED_AGENT_KERNEL_DISSOLVE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/journal_format.h"
#include "agent/runtime/clock.h"

namespace fairsched::kernel {

// What placing needs of the outside. The references must outlive its users.
struct TreeDeps {
  FileSystem& fs;
  const runtime::Clock& clock;
  // Returns after about as long.
  std::function<void(absl::Duration)> pause;
  std::string proc_root = "/proc";
};

struct DissolveReport {
  int64_t processes_moved = 0;
  int64_t failed_moves = 0;
  int64_t cgroups_removed = 0;  // the same path in two mounts is one
  // Absolute paths of what is still there, at values that hold nobody back.
  std::vector<std::string> left;
  absl::Status first_error;  // of whatever failed for good
  // OK if nothing is left; else what, and why.
  absl::Status ToStatus() const;
};

// What a group that keeps filling up may cost: a fork bomb can outrun us.
inline constexpr absl::Duration kDissolveTime = absl::Seconds(2);

// Empties and removes the tree of `entries`, each process going to where it
// came from (WayOut). Tries for kDissolveTime at most; what is left then gets
// neutral values. Idempotent: where nothing is, nothing is done.
DissolveReport DissolveTree(const TreeDeps& deps,
                            const JournalEntries& entries);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_DISSOLVE_H_
