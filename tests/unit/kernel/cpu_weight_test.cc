// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cpu_weight.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

TEST(CpuWeightTest, EveryWeightComesBackAsItWasWritten) {
  for (int32_t weight = kMinWeight; weight <= kMaxWeight; ++weight) {
    ASSERT_EQ(ParseCpuWeight(FormatCpuWeight(weight)).value(), weight);
  }
}

TEST(CpuWeightTest, AnIdleGroupHasNoWeight) {
  EXPECT_EQ(ParseCpuWeight("0\n").value(), std::nullopt);
}

TEST(CpuWeightTest, LineEndsAndFurtherFieldsAreLetPass) {
  for (const std::string& text :
       {std::string("250\n"), std::string("250"), std::string("250\r\n"),
        std::string("250\0", 4), std::string("250 7\n")}) {
    EXPECT_EQ(ParseCpuWeight(text).value(), 250);
  }
}

TEST(CpuWeightTest, WhatIsNoWeightIsRefused) {
  for (const std::string& text :
       {std::string(), std::string("\n"), std::string("-1"),
        std::string("10001"), std::string("max"), std::string("1.5"),
        std::string(10000, '9')}) {
    const absl::Status status = ParseCpuWeight(text).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
    EXPECT_LT(status.message().size(), 200u);
  }
}

TEST(CpuSharesTest, EveryWeightComesBackAsItWasWritten) {
  for (int32_t weight = kMinWeight; weight <= kMaxWeight; ++weight) {
    ASSERT_EQ(ParseCpuShares(FormatCpuShares(weight)).value(), weight);
  }
}

TEST(CpuSharesTest, AHundredIsWhatAGroupStartsWith) {
  EXPECT_EQ(FormatCpuShares(100), "1024");
  EXPECT_EQ(FormatCpuShares(kMinWeight), "10");
  EXPECT_EQ(FormatCpuShares(kMaxWeight), "102400");
}

TEST(CpuSharesTest, SharesThatNoWeightHasAreTheNearestInRange) {
  EXPECT_EQ(ParseCpuShares("2\n").value(), kMinWeight);
  EXPECT_EQ(ParseCpuShares("262144\n").value(), kMaxWeight);
  EXPECT_EQ(ParseCpuShares("9223372036854775807\n").value(), kMaxWeight);
  EXPECT_EQ(ParseCpuShares("1029\n").value(), 100);
  EXPECT_EQ(ParseCpuShares("1030\n").value(), 101);
}

TEST(CpuSharesTest, WhatIsNoNumberIsRefused) {
  for (const char* text : {"", "-5", "many"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseCpuShares(text).status())) << text;
  }
}

TEST(CpuIdleTest, IsOneOfTwoValues) {
  EXPECT_FALSE(ParseCpuIdle("0\n").value());
  EXPECT_TRUE(ParseCpuIdle("1\n").value());
  EXPECT_TRUE(ParseCpuIdle(FormatCpuIdle(true)).value());
  EXPECT_FALSE(ParseCpuIdle(FormatCpuIdle(false)).value());
  for (const char* text : {"", "2", "-1", "yes"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseCpuIdle(text).status())) << text;
  }
}

}  // namespace
}  // namespace fairsched::kernel
