// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cpu_stat.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

using core::CpuTime;

constexpr char kLinux618[] =
    "usage_usec 27776633\nuser_usec 14420275\nsystem_usec 13356358\n"
    "nice_usec 0\ncore_sched.force_idle_usec 0\nnr_periods 9\nnr_throttled 3\n"
    "throttled_usec 777\nnr_bursts 1\nburst_usec 5\n";

struct Case {
  const char* name;
  std::string text;
  std::optional<CpuStat> value;  // nullopt: refused
};
class ParseCpuStatTest : public ::testing::TestWithParam<Case> {};

TEST_P(ParseCpuStatTest, TakesTheKeysThatItKnowsAndSkipsOthers) {
  const absl::StatusOr<CpuStat> parsed = ParseCpuStat(GetParam().text);
  ASSERT_EQ(parsed.ok(), GetParam().value.has_value()) << parsed.status();
  if (parsed.ok()) {
    EXPECT_EQ(*parsed, *GetParam().value);
  } else {
    EXPECT_TRUE(absl::IsInvalidArgument(parsed.status()));
    EXPECT_LT(parsed.status().message().size(), 400u);
  }
}

CpuStat OnlyUsage(int64_t usec) {
  CpuStat stat;
  stat.usage = CpuTime::Usec(usec);
  return stat;
}

INSTANTIATE_TEST_SUITE_P(
    Forms, ParseCpuStatTest,
    ::testing::Values(
        Case{"Linux618", kLinux618,
             CpuStat{.usage = CpuTime::Usec(27776633),
                     .user = CpuTime::Usec(14420275),
                     .system = CpuTime::Usec(13356358),
                     .throttled = CpuTime::Usec(777)}},
        Case{"WithoutTheController",
             "usage_usec 10\nuser_usec 6\nsystem_usec 4\n",
             CpuStat{.usage = CpuTime::Usec(10),
                     .user = CpuTime::Usec(6),
                     .system = CpuTime::Usec(4),
                     .throttled = std::nullopt}},
        Case{"Reordered", "nr_periods 1\nuser_usec 6\nusage_usec 10\n",
             CpuStat{.usage = CpuTime::Usec(10),
                     .user = CpuTime::Usec(6),
                     .system = std::nullopt,
                     .throttled = std::nullopt}},
        Case{"Crlf", "usage_usec 10\r\n", OnlyUsage(10)},
        Case{"TrailingNul", std::string("usage_usec 10\0", 14), OnlyUsage(10)},
        Case{"NoLastNewline", "usage_usec 10", OnlyUsage(10)},
        Case{"ExtraField", "usage_usec 10 11\n", OnlyUsage(10)},
        Case{"NewKeys", "a 1\nusage_usec.x 4\nusage_usec 10\nb\n",
             OnlyUsage(10)},
        Case{"UnknownKeyOfTenKilobytes",
             "usage_usec 10\n" + std::string(10000, 'x'), OnlyUsage(10)},
        Case{"Empty", "", std::nullopt},
        Case{"V1", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n",
             std::nullopt},
        Case{"NoValue", "usage_usec\n", std::nullopt},
        Case{"NotANumber", "usage_usec lots\n", std::nullopt},
        Case{"Negative", "usage_usec -1\n", std::nullopt},
        Case{"TooLarge", "usage_usec 9223372036854775808\n", std::nullopt},
        Case{"MalformedKnownKey", "usage_usec 1\nthrottled_usec ?\n",
             std::nullopt},
        Case{"Garbage", std::string(10000, '\xff'), std::nullopt}),
    [](const auto& c) { return std::string(c.param.name); });

TEST(ParseCpuacctUsageTest, NanosecondsAreCutToMicroseconds) {
  EXPECT_EQ(ParseCpuacctUsage("30445420834\n").value(),
            CpuTime::Usec(30445420));
  EXPECT_EQ(ParseCpuacctUsage("999").value(), CpuTime());
}

TEST(ParseCpuacctUsageTest, AnythingButACountIsRefused) {
  for (const char* text :
       {"", "\n", "-1", "usage_usec 5", "1e9", "99999999999999999999999"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseCpuacctUsage(text).status()))
        << text;
  }
}

}  // namespace
}  // namespace fairsched::kernel
