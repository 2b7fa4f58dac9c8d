// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_VALUES_H_
#define FAIRSCHED_CLIENT_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "fairsched/v1/policy.pb.h"

namespace fairsched::client {

// Values of options that are no quantities (those: units.h). Each Parse is
// InvalidArgument, with the value and what is allowed, for anything else. They
// know the form; which values hold, the daemon says.

// A whole number of 32 bits, for shares.
absl::StatusOr<int32_t> ParseInt32(absl::string_view text);

// "observe" or "enforce".
absl::StatusOr<v1::Mode> ParseMode(absl::string_view text);

// "feedback" or "none".
absl::StatusOr<v1::Pacing> ParsePacing(absl::string_view text);

// Uids, as in "0,12"; each 0..4294967294, the last one that the kernel has.
// "none" is the empty list.
absl::StatusOr<std::vector<int64_t>> ParseUids(absl::string_view text);
std::string FormatUids(const std::vector<int64_t>& uids);

// Ranges of uids with both ends, or single uids, as in "1000-59999,60600".
// "none" is the empty list.
absl::StatusOr<std::vector<v1::UidRange>> ParseUidRanges(
    absl::string_view text);
std::string FormatUidRanges(const std::vector<v1::UidRange>& ranges);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_VALUES_H_
