// SPDX-License-Identifier: Apache-2.0
#include "server/convert_time.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace fairsched::server {
namespace {

google::protobuf::Duration Proto(int64_t seconds, int32_t nanos) {
  google::protobuf::Duration proto;
  proto.set_seconds(seconds);
  proto.set_nanos(nanos);
  return proto;
}

TEST(ConvertTimeTest, DurationsAreRoundedToMicroseconds) {
  const auto proto = ToProto(absl::Nanoseconds(1'500'000'499));
  EXPECT_EQ(proto.seconds(), 1);
  EXPECT_EQ(proto.nanos(), 500'000'000);
  EXPECT_EQ(FromProto(Proto(0, 1'500)), absl::Microseconds(2));
  EXPECT_EQ(FromProto(Proto(0, -1'499)), absl::Microseconds(-1));
}

TEST(ConvertTimeTest, NegativeDurationsHaveOneSign) {
  const auto proto = ToProto(core::CpuTime::Msec(-1500));
  EXPECT_EQ(proto.seconds(), -1);
  EXPECT_EQ(proto.nanos(), -500'000'000);
  EXPECT_EQ(FromProto(proto), absl::Milliseconds(-1500));
}

TEST(ConvertTimeTest, WhatTheTypeDoesNotAllowIsRefused) {
  for (const auto& bad :
       {Proto(1, -1), Proto(-1, 1), Proto(0, 1'000'000'000),
        Proto(315'576'000'001, 0), Proto(INT64_MAX, 0), Proto(INT64_MIN, 0)}) {
    EXPECT_EQ(FromProto(bad), std::nullopt) << bad.ShortDebugString();
  }
  EXPECT_EQ(FromProto(Proto(-315'576'000'000, -999'999'999)),
            absl::Seconds(-315'576'000'001));
}

TEST(ConvertTimeTest, WhatDoesNotFitIsCut) {
  EXPECT_EQ(ToProto(absl::InfiniteDuration()).seconds(), 315'576'000'000);
  EXPECT_EQ(ToProto(-absl::InfiniteDuration()).seconds(), -315'576'000'000);
  EXPECT_EQ(ToProto(absl::InfiniteFuture()).seconds(), 253'402'300'799);
  EXPECT_EQ(ToProto(absl::InfinitePast()).seconds(), -62'135'596'800);
}

TEST(ConvertTimeTest, TimesBefore1970HavePositiveNanoseconds) {
  const auto proto = ToProto(absl::FromUnixMillis(-500));
  EXPECT_EQ(proto.seconds(), -1);
  EXPECT_EQ(proto.nanos(), 500'000'000);
}

}  // namespace
}  // namespace fairsched::server
