// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/proc_stat.h"

#include <string>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

using core::CpuTime;

TEST(ParseProcStatTest, BusyIsWhatRanAndStealIsWhatOthersTook) {
  // user nice system idle iowait irq softirq steal guest guest_nice
  const absl::StatusOr<ProcStat> parsed = ParseProcStat(
      "cpu  1000 200 300 99999 5555 40 5 7 900 100\n"
      "cpu0 500 100 150 49999 2555 20 2 3 450 50\nintr 1 2 3\n");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->busy, CpuTime::Msec(15450));
  EXPECT_EQ(parsed->hypervisor_steal, CpuTime::Msec(70));
}

TEST(ParseProcStatTest, NeedsNoGuestTimes) {
  EXPECT_TRUE(ParseProcStat("cpu 1 2 3 4 5 6 7 8").ok());
}

TEST(ParseProcStatTest, FindsTheLineWhereverItIs) {
  EXPECT_EQ(ParseProcStat("new 1\ncpu0 9 9 9 9 9 9 9 9\r\ncpu 0 0 0 0 0 0 0 8")
                .value()
                .hypervisor_steal,
            CpuTime::Msec(80));
}

TEST(ParseProcStatTest, RefusesWhatHasNoSuchLine) {
  for (const std::string& text :
       {std::string(), std::string("cpu\n"), std::string("cpu 1 2 3 4 5 6 7\n"),
        std::string("cpu0 1 2 3 4 5 6 7 8\n"),
        std::string("cpu 1 2 x 4 5 6 7 8\n"),
        std::string("cpu 1 2 3 4 5 6 7 -8\n"), std::string(10000, 'c')}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseProcStat(text).status())) << text;
  }
}

}  // namespace
}  // namespace fairsched::kernel
