// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_KERNEL_TEXT_H_
#define FAIRSCHED_AGENT_KERNEL_KERNEL_TEXT_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// What the parsers of the kernel's text files have in common.
namespace fairsched::kernel {

// The words of `text`, between blanks, line ends (of either kind) and NULs.
std::vector<absl::string_view> Words(absl::string_view text);
// The first of them; empty where there is none.
absl::string_view FirstWord(absl::string_view text);

// A decimal number in 0..2^63-1. InvalidArgument, with `what` it should have
// been and the word, if it is anything else.
absl::StatusOr<int64_t> ParseCount(absl::string_view word,
                                   absl::string_view what);

// InvalidArgument: "cpu.max is '', not '$QUOTA $PERIOD'", of a `text` as long
// as it may be.
absl::Status Malformed(absl::string_view file, absl::string_view text,
                       absl::string_view form);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_KERNEL_TEXT_H_
