// SPDX-License-Identifier: Apache-2.0
#include "client/values.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::client {
namespace {

using ::testing::ElementsAre;

TEST(ValuesTest, UidRangesParseAndFormatAlike) {
  for (const std::string text :
       {"none", "0", "1000-59999", "1000-59999,60600", "0-4294967294"}) {
    const auto ranges = ParseUidRanges(text);

    ASSERT_TRUE(ranges.ok()) << ranges.status();
    EXPECT_EQ(FormatUidRanges(*ranges), text);
  }
}

TEST(ValuesTest, AUidAloneIsARangeOfOne) {
  const auto ranges = ParseUidRanges("60600");

  ASSERT_TRUE(ranges.ok());
  ASSERT_EQ(ranges->size(), 1U);
  EXPECT_EQ((*ranges)[0].first(), 60600);
  EXPECT_EQ((*ranges)[0].last(), 60600);
}

TEST(ValuesTest, WrongUidRangesAreRefusedWithTheValue) {
  for (const std::string text : {"", "a", "-1", "1-", "1-2-3", "5-4",
                                 "4294967295", "1000-59999,", "1,,2"}) {
    EXPECT_EQ(ParseUidRanges(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
  EXPECT_EQ(ParseUidRanges("1-4294967295").status().message(),
            "'4294967295' is not a uid of 0..4294967294");
  EXPECT_EQ(ParseUidRanges("5-4").status().message(),
            "'5-4' is not a range of uids: its end is before its beginning");
}

TEST(ValuesTest, LimitsParseAndFormatAlike) {
  for (const std::string text : {"none", "entitlement", "500m", "2.5cpu"})
    EXPECT_EQ(FormatLimit(*ParseLimit(text)), text);
  EXPECT_EQ(ParseLimit("250%")->millicpus(), 2500);
  for (const std::string text : {"", "nan", "NaN", "inf", "1e9cpu", "-1cpu",
                                 "0.5", "cpu", "default", "99999cpu"}) {
    EXPECT_EQ(ParseLimit(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
  v1::Limit limit = *ParseLimit("500m");
  *limit.mutable_steal() = *ParseSteal("unlimited");
  limit.mutable_burst()->set_nanos(20'000'000);
  EXPECT_EQ(FormatLimit(limit), "500m, burst 20ms, steal unlimited");
}

TEST(ValuesTest, StealIsADurationOrUnlimited) {
  EXPECT_EQ(FormatSteal(*ParseSteal("100ms")), "100ms");
  EXPECT_EQ(FormatSteal(*ParseSteal("unlimited")), "unlimited");
  for (const std::string text : {"", "nan", "-1s", "100", "all"})
    EXPECT_FALSE(ParseSteal(text).ok()) << text;
}

TEST(ValuesTest, AutoWindowsParseAndFormatAlike) {
  EXPECT_EQ(FormatAutoWindow(*ParseAutoWindow("1s-10s,500ms")), "1s-10s,500ms");
  EXPECT_FALSE(ParseAutoWindow("1s-10s")->has_quantum());
  for (const std::string text : {"", "1s", "1s-", "1s-2s,", "a-b", "1s-2s-3s"})
    EXPECT_FALSE(ParseAutoWindow(text).ok()) << text;
  EXPECT_EQ(*ParseInterval("auto"), absl::ZeroDuration());
  EXPECT_EQ(*ParseInterval("20ms"), absl::Milliseconds(20));
}

TEST(ValuesTest, UidsParseAndFormatAlike) {
  const auto uids = ParseUids("0,12");

  ASSERT_TRUE(uids.ok());
  EXPECT_THAT(*uids, ElementsAre(0, 12));
  EXPECT_EQ(FormatUids(*uids), "0,12");
  EXPECT_FALSE(ParseUids("").ok());
  EXPECT_FALSE(ParseUids("0,").ok());
}

TEST(ValuesTest, WordsOfEnumsAreTakenAsTheyAreWritten) {
  EXPECT_EQ(*ParseMode("enforce"), v1::MODE_ENFORCE);
  EXPECT_EQ(*ParseMode("observe"), v1::MODE_OBSERVE);
  EXPECT_EQ(ParseMode("Enforce").status().message(),
            "'Enforce' is not a mode: observe or enforce");
  EXPECT_EQ(*ParsePacing("feedback"), v1::PACING_FEEDBACK);
  EXPECT_EQ(*ParsePacing("none"), v1::PACING_NONE);
  EXPECT_FALSE(ParsePacing("").ok());
}

TEST(ValuesTest, NumbersBeyond32BitsAreRefused) {
  EXPECT_EQ(*ParseInt32("-1"), -1);
  EXPECT_EQ(*ParseInt32("2147483647"), 2147483647);
  EXPECT_FALSE(ParseInt32("2147483648").ok());
  EXPECT_FALSE(ParseInt32("1.5").ok());
  EXPECT_FALSE(ParseInt32("").ok());
}

}  // namespace
}  // namespace fairsched::client
