// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_CONVERT_TIME_H_
#define FAIRSCHED_SERVER_CONVERT_TIME_H_

#include <optional>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/timestamp.pb.h"

namespace fairsched::server {

// Rounded to the nearest microsecond, away from zero in the middle, and cut to
// the range of the type (10 000 years either way).
google::protobuf::Duration ToProto(absl::Duration duration);
google::protobuf::Duration ToProto(core::CpuTime time);
// Cut to the range of the type, the years 1..9999.
google::protobuf::Timestamp ToProto(absl::Time time);

// Rounded likewise. Nullopt for what the type does not allow: out of its range,
// nanoseconds above a second, seconds and nanoseconds of different signs.
std::optional<absl::Duration> FromProto(
    const google::protobuf::Duration& duration);
// Nullopt, likewise.
std::optional<absl::Time> FromProto(
    const google::protobuf::Timestamp& timestamp);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_CONVERT_TIME_H_
