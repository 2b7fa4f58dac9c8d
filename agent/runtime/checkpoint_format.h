// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_RUNTIME_CHECKPOINT_FORMAT_H_
#define FAIRSCHED_AGENT_RUNTIME_CHECKPOINT_FORMAT_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/core/checkpoint.h"

namespace fairsched::runtime {

// A longer text is refused: 16 MiB hold the accounts of 80 000 users.
inline constexpr size_t kMaxCheckpointBytes = 16 << 20;

// The text of a checkpoint that was made in the boot `boot_id` of the node.
// Lines of fields parted by one space; times in ns, CPU time in us:
//
//   fairsched-checkpoint 1 BOOT_ID
//   node AT WINDOW WINDOW_AGE WINDOW_NUMBER UNMANAGED FORECAST   (in nano-CPUs)
//   user ID BALANCE ENTITLEMENT ...                    one per user, by id
//   end CHECKSUM                  of all lines before, 16 hexadecimal digits
std::string FormatCheckpoint(const core::Checkpoint& checkpoint,
                             absl::string_view boot_id);

// The inverse. FailedPrecondition, with `name` and line, for anything but the
// form above, whole: torn, foreign, or of a newer version. NotFound: it was
// made in another boot, whose times mean nothing now.
absl::StatusOr<core::Checkpoint> ParseCheckpoint(absl::string_view name,
                                                 absl::string_view text,
                                                 absl::string_view boot_id);

}  // namespace fairsched::runtime

#endif  // FAIRSCHED_AGENT_RUNTIME_CHECKPOINT_FORMAT_H_
