// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cpu_max.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

using core::CpuTime;

CpuMax Max(std::optional<int64_t> quota_usec, int64_t period_usec) {
  CpuMax result;
  if (quota_usec.has_value()) result.quota = CpuTime::Usec(*quota_usec);
  result.period = absl::Microseconds(period_usec);
  return result;
}

struct Case {
  const char* name;
  std::string text;
  std::optional<CpuMax> value;  // nullopt: refused
};
class ParseCpuMaxTest : public ::testing::TestWithParam<Case> {};

TEST_P(ParseCpuMaxTest, TakesTheFirstTwoFieldsOrNothing) {
  const absl::StatusOr<CpuMax> parsed = ParseCpuMax(GetParam().text);
  ASSERT_EQ(parsed.ok(), GetParam().value.has_value()) << parsed.status();
  if (parsed.ok()) {
    EXPECT_EQ(*parsed, *GetParam().value);
    EXPECT_EQ(ParseCpuMax(FormatCpuMax(*parsed)).value(), *parsed);
  } else {
    EXPECT_TRUE(absl::IsInvalidArgument(parsed.status()));
    EXPECT_LT(parsed.status().message().size(), 200u);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, ParseCpuMaxTest,
    ::testing::Values(
        Case{"NoCeiling", "max 100000\n", Max(std::nullopt, 100000)},
        Case{"HalfACpu", "50000 100000\n", Max(50000, 100000)},
        Case{"ShortPeriod", "1000 1000\n", Max(1000, 1000)},
        Case{"ThirdFieldOfAVendor", "max 100000 0\n",
             Max(std::nullopt, 100000)},
        Case{"FourFields", "1 2 3 4", Max(1, 2)},
        Case{"Crlf", "50000 100000\r\n", Max(50000, 100000)},
        Case{"TrailingNul", std::string("50000 100000\0", 13),
             Max(50000, 100000)},
        Case{"Empty", "", std::nullopt}, Case{"Blank", " \n", std::nullopt},
        Case{"QuotaOnly", "max", std::nullopt},
        Case{"NumberOnly", "100000", std::nullopt},
        Case{"Reordered", "100000 max", std::nullopt},
        Case{"ZeroPeriod", "max 0", std::nullopt},
        Case{"ZeroQuota", "0 100000", std::nullopt},
        Case{"MinusOne", "-1 100000", std::nullopt},
        Case{"Dash", "- 100000", std::nullopt},
        Case{"CutWord", "ma 100000", std::nullopt},
        Case{"Overflow", "99999999999999999999 100000", std::nullopt},
        Case{"TenKilobytes", std::string(10000, '1'), std::nullopt}),
    [](const auto& c) { return std::string(c.param.name); });

TEST(FormatCpuMaxTest, AlwaysWritesBothFields) {
  EXPECT_EQ(FormatCpuMax(Max(200000, 100000)), "200000 100000");
  EXPECT_EQ(FormatCpuMax(CpuMax()), "max 100000");
}

TEST(ParseCfsBandwidthTest, TwoFilesMakeOneCeiling) {
  EXPECT_EQ(ParseCfsBandwidth("-1\n", "100000\n").value(),
            Max(std::nullopt, 100000));
  EXPECT_EQ(ParseCfsBandwidth("50000\n", "20000\n").value(), Max(50000, 20000));
}

TEST(ParseCfsBandwidthTest, RefusesWhatIsNoCeilingAndSaysWhichFile) {
  for (const char* quota : {"", "0", "-2", "max"}) {
    const absl::Status status = ParseCfsBandwidth(quota, "100000").status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << quota;
    EXPECT_NE(status.message().find("cpu.cfs_quota_us"),
              absl::string_view::npos);
  }
  for (const char* period : {"", "0", "-1", "x"}) {
    const absl::Status status = ParseCfsBandwidth("-1", period).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << period;
    EXPECT_NE(status.message().find("cpu.cfs_period_us"),
              absl::string_view::npos);
  }
}

}  // namespace
}  // namespace fairsched::kernel
