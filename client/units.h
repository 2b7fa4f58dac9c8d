// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_UNITS_H_
#define FAIRSCHED_CLIENT_UNITS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace fairsched::client {

// Quantities as people write them. Each Parse is InvalidArgument, with the
// value and what is allowed, for text in another form or out of range.

// The longest duration that is accepted.
constexpr absl::Duration kMaxDuration = absl::Hours(24 * 365);

// A duration of whole microseconds, 0..kMaxDuration: numbers with the units h,
// m, s, ms, us, as in "100ms", "1.5s", "1m30s"; or "0". The inverse is
// absl::FormatDuration().
absl::StatusOr<absl::Duration> ParseDuration(absl::string_view text);

// The largest number of millicpus that is accepted: 10 000 CPUs.
constexpr int64_t kMaxMillicpus = 10'000'000;

// CPUs in thousandths, 0..kMaxMillicpus: "2.5cpu", "250%" (of one CPU),
// "2500m"; or "0".
absl::StatusOr<int64_t> ParseMillicpus(absl::string_view text);

// The inverse: "2.5cpu", "50m" below one CPU, "0".
std::string FormatMillicpus(int64_t millicpus);

// For columns: seconds with three decimals, "-0.250s".
std::string FormatSeconds(absl::Duration duration);

// For columns: CPUs with two decimals, "1.50"; "-" if it is not a number.
std::string FormatCpus(double cpus);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_UNITS_H_
