// SPDX-License-Identifier: Apache-2.0
#include "client/units.h"

#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::client {
namespace {

struct DurationCase {
  std::string text;
  absl::Duration duration;
  std::string canonical;
};

TEST(UnitsTest, DurationsParseAndFormatToTheByte) {
  const DurationCase cases[] = {
      {"0", absl::ZeroDuration(), "0"},
      {"0s", absl::ZeroDuration(), "0"},
      {"1us", absl::Microseconds(1), "1us"},
      {"100ms", absl::Milliseconds(100), "100ms"},
      {"1000ms", absl::Seconds(1), "1s"},
      {"1.5s", absl::Milliseconds(1500), "1.5s"},
      {"10s", absl::Seconds(10), "10s"},
      {"1m", absl::Minutes(1), "1m"},
      {"90s", absl::Seconds(90), "1m30s"},
      {"2h", absl::Hours(2), "2h"},
      {"8760h", kMaxDuration, "8760h"},
  };
  for (const DurationCase& c : cases) {
    const absl::StatusOr<absl::Duration> parsed = ParseDuration(c.text);

    ASSERT_TRUE(parsed.ok()) << c.text << ": " << parsed.status();
    EXPECT_EQ(*parsed, c.duration) << c.text;
    EXPECT_EQ(absl::FormatDuration(*parsed), c.canonical);
  }
}

TEST(UnitsTest, DurationsInAnotherFormOrOutOfRangeAreRefused) {
  for (const std::string text :
       {"", " ", "10", "s", "10 s", "10d", "-1s", "+1s", "1s,", "inf", "-inf",
        "nan", "nans", "8761h", "1e3s", "99999999999999999999h", "1ns",
        "1.0000001s"}) {
    const absl::StatusOr<absl::Duration> parsed = ParseDuration(text);

    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument)
        << text;
    EXPECT_THAT(std::string(parsed.status().message()),
                ::testing::StartsWith("'" + text + "' is not "));
  }
}

TEST(UnitsTest, ARefusedDurationSaysWhatIsAllowed) {
  EXPECT_EQ(ParseDuration("5q").status().message(),
            "'5q' is not a duration of 0..8760h, like 100ms, 10s, 1m or 2h");
}

struct CpusCase {
  std::string text;
  int64_t millicpus;
  std::string canonical;
};

TEST(UnitsTest, CpusParseAndFormatToTheByte) {
  const CpusCase cases[] = {
      {"0", 0, "0"},
      {"0%", 0, "0"},
      {"1m", 1, "1m"},
      {"500m", 500, "500m"},
      {"50%", 500, "500m"},
      {"0.05cpu", 50, "50m"},
      {"0.07cpu", 70, "70m"},
      {"999m", 999, "999m"},
      {"1cpu", 1000, "1cpu"},
      {"1000m", 1000, "1cpu"},
      {"2.5cpu", 2500, "2.5cpu"},
      {"2.5cpus", 2500, "2.5cpu"},
      {"250%", 2500, "2.5cpu"},
      {"0.1%", 1, "1m"},
      {"1.001cpu", 1001, "1.001cpu"},
      {"10cpu", 10000, "10cpu"},
      {"10000cpu", kMaxMillicpus, "10000cpu"},
  };
  for (const CpusCase& c : cases) {
    const absl::StatusOr<int64_t> parsed = ParseMillicpus(c.text);

    ASSERT_TRUE(parsed.ok()) << c.text << ": " << parsed.status();
    EXPECT_EQ(*parsed, c.millicpus) << c.text;
    EXPECT_EQ(FormatMillicpus(*parsed), c.canonical);
  }
}

TEST(UnitsTest, CpusInAnotherFormOrOutOfRangeAreRefused) {
  for (const std::string text : {"",          "1",
                                 "2.5",       "cpu",
                                 "%",         "m",
                                 "-1cpu",     "-5%",
                                 "+1cpu",     "nancpu",
                                 "infcpu",    "nan%",
                                 "1e3cpu",    "0x10m",
                                 "1 cpu",     "1..5cpu",
                                 ".cpu",      "10000.001cpu",
                                 "10000001m", "99999999999999999999999cpu",
                                 "0.0005cpu", "0.5m",
                                 "2,5cpu"}) {
    const absl::StatusOr<int64_t> parsed = ParseMillicpus(text);

    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument)
        << text;
    EXPECT_THAT(std::string(parsed.status().message()),
                ::testing::StartsWith("'" + text + "' is not "));
  }
}

TEST(UnitsTest, RefusedCpusSayWhatIsAllowed) {
  EXPECT_EQ(ParseMillicpus("-1cpu").status().message(),
            "'-1cpu' is not CPUs of 0..10000cpu, like 2.5cpu, 250% or 500m");
  EXPECT_EQ(ParseMillicpus("0.0005cpu").status().message(),
            "'0.0005cpu' is not a whole number of millicpus (1m = 0.001cpu)");
}

TEST(UnitsTest, ColumnsOfSecondsHaveThreeDecimalsAndNoNegativeZero) {
  EXPECT_EQ(FormatSeconds(absl::ZeroDuration()), "0.000s");
  EXPECT_EQ(FormatSeconds(absl::Milliseconds(1320)), "1.320s");
  EXPECT_EQ(FormatSeconds(absl::Milliseconds(-250)), "-0.250s");
  EXPECT_EQ(FormatSeconds(absl::Microseconds(-1)), "0.000s");
  EXPECT_EQ(FormatSeconds(absl::Hours(2)), "7200.000s");
}

TEST(UnitsTest, ColumnsOfCpusHaveTwoDecimalsAndNoNegativeZero) {
  EXPECT_EQ(FormatCpus(0), "0.00");
  EXPECT_EQ(FormatCpus(1.5), "1.50");
  EXPECT_EQ(FormatCpus(-0.001), "0.00");
  EXPECT_EQ(FormatCpus(128), "128.00");
  EXPECT_EQ(FormatCpus(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(FormatCpus(std::numeric_limits<double>::infinity()), "-");
}

}  // namespace
}  // namespace fairsched::client
