// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_VALUES_H_
#define FAIRSCHED_CLIENT_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "fairsched/v1/override.pb.h"
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

// What a user may take beyond its limit in a second, as in "100ms", or
// "unlimited".
absl::StatusOr<v1::Steal> ParseSteal(absl::string_view text);
std::string FormatSteal(const v1::Steal& steal);

// CPUs, as in "2.5cpu", or "entitlement", or "none"; without burst and steal.
absl::StatusOr<v1::Limit> ParseLimit(absl::string_view text);
// With burst and steal: "500m, burst 100ms, steal unlimited".
std::string FormatLimit(const v1::Limit& limit);

// "restricted to 500m", "4 times its shares" or "exempt".
std::string FormatOverride(const v1::Override& override);

// A duration, or "auto", which is 0.
absl::StatusOr<absl::Duration> ParseInterval(absl::string_view text);

// "1s-10s" or "1s-10s,500ms".
absl::StatusOr<v1::AutoWindow> ParseAutoWindow(absl::string_view text);
std::string FormatAutoWindow(const v1::AutoWindow& range);

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
