// SPDX-License-Identifier: Apache-2.0
#include "server/convert_time.h"

#include <algorithm>
#include <cstdint>

namespace fairsched::server {
namespace {

// The ranges that google/protobuf/{duration,timestamp}.proto set.
constexpr int64_t kMaxSeconds = 315'576'000'000;
constexpr int32_t kMaxNanos = 999'999'999;
constexpr int64_t kFirstSecond = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr int64_t kLastSecond = 253'402'300'799;   // 9999-12-31T23:59:59Z

absl::Duration Rounded(absl::Duration duration) {
  const absl::Duration half = absl::Nanoseconds(500);
  return absl::Trunc(
      duration + (duration < absl::ZeroDuration() ? -half : half),
      absl::Microseconds(1));
}

}  // namespace

google::protobuf::Duration ToProto(absl::Duration duration) {
  const absl::Duration most = absl::Seconds(kMaxSeconds);
  duration = std::clamp(Rounded(duration), -most, most);
  google::protobuf::Duration proto;
  proto.set_seconds(absl::IDivDuration(duration, absl::Seconds(1), &duration));
  proto.set_nanos(static_cast<int32_t>(absl::ToInt64Nanoseconds(duration)));
  return proto;
}

google::protobuf::Duration ToProto(core::CpuTime time) {
  return ToProto(absl::Microseconds(time.usec()));
}

google::protobuf::Timestamp ToProto(absl::Time time) {
  time = std::clamp(time, absl::FromUnixSeconds(kFirstSecond),
                    absl::FromUnixSeconds(kLastSecond));
  google::protobuf::Timestamp proto;
  const int64_t seconds = absl::ToUnixSeconds(time);
  proto.set_seconds(seconds);
  proto.set_nanos(static_cast<int32_t>(
      absl::ToInt64Nanoseconds(time - absl::FromUnixSeconds(seconds))));
  return proto;
}

std::optional<absl::Duration> FromProto(
    const google::protobuf::Duration& duration) {
  const int64_t seconds = duration.seconds();
  const int32_t nanos = duration.nanos();
  if (seconds < -kMaxSeconds || seconds > kMaxSeconds || nanos < -kMaxNanos ||
      nanos > kMaxNanos || (seconds > 0 && nanos < 0) ||
      (seconds < 0 && nanos > 0)) {
    return std::nullopt;
  }
  return Rounded(absl::Seconds(seconds) + absl::Nanoseconds(nanos));
}

std::optional<absl::Time> FromProto(
    const google::protobuf::Timestamp& timestamp) {
  if (timestamp.seconds() < kFirstSecond || timestamp.seconds() > kLastSecond ||
      timestamp.nanos() < 0 || timestamp.nanos() > kMaxNanos) {
    return std::nullopt;
  }
  return absl::FromUnixSeconds(timestamp.seconds()) +
         Rounded(absl::Nanoseconds(timestamp.nanos()));
}

}  // namespace fairsched::server
