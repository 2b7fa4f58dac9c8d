// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/pressure.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

constexpr char kSome[] = "some avg10=0.02 avg60=0.11 avg300=0.11 total=3282567";
constexpr char kFull[] = "full avg10=0.00 avg60=0.00 avg300=0.00 total=17";

struct Case {
  const char* name;
  std::string text;
  std::optional<int64_t> usec;  // nullopt: refused
};
class ParsePressureTest : public ::testing::TestWithParam<Case> {};

TEST_P(ParsePressureTest, TakesTheTotalOfTheLineSome) {
  const absl::StatusOr<core::CpuTime> parsed =
      ParsePressureSome(GetParam().text);
  ASSERT_EQ(parsed.ok(), GetParam().usec.has_value()) << parsed.status();
  if (parsed.ok()) {
    EXPECT_EQ(parsed->usec(), *GetParam().usec);
  } else {
    EXPECT_TRUE(absl::IsInvalidArgument(parsed.status()));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, ParsePressureTest,
    ::testing::Values(
        Case{"Linux618", std::string(kSome) + "\n" + kFull + "\n", 3282567},
        Case{"BeforeFull", std::string(kSome) + "\n", 3282567},
        Case{"Reordered", std::string(kFull) + "\n" + kSome + "\n", 3282567},
        Case{"Crlf", std::string(kSome) + "\r\n", 3282567},
        Case{"NewFields", "some total=5 max=9 avg10=0.00\n", 5},
        Case{"TrailingNul", std::string(kSome) + std::string("\0", 1), 3282567},
        Case{"Empty", "", std::nullopt}, Case{"FullOnly", kFull, std::nullopt},
        Case{"NoTotal", "some avg10=0.00\n", std::nullopt},
        Case{"EmptyTotal", "some total=\n", std::nullopt},
        Case{"FractionalTotal", "some total=1.5\n", std::nullopt},
        Case{"NegativeTotal", "some total=-1\n", std::nullopt},
        Case{"Garbage", std::string(10000, 's'), std::nullopt}),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace fairsched::kernel
