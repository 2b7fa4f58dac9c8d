// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/proc_pid_stat.h"

#include <string>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

constexpr char kNumbers[] =
    " S 7 42 42 0 -1 4194560 1 2 3 4 150 25 6 7 20 0 3 0 99361 1 2\n";

class CommTest : public ::testing::TestWithParam<const char*> {};

TEST_P(CommTest, DoesNotShiftTheNumbersAfterIt) {
  const std::string comm = GetParam();

  const absl::StatusOr<ProcPidStat> stat =
      ParseProcPidStat("42 (" + comm + ")" + kNumbers);

  ASSERT_TRUE(stat.ok()) << stat.status();
  EXPECT_EQ(stat->comm, comm);
  EXPECT_EQ(stat->ppid, 7);
  EXPECT_EQ(stat->utime_ticks, 150);
  EXPECT_EQ(stat->stime_ticks, 25);
  EXPECT_EQ(stat->start_ticks, 99361);
}

INSTANTIATE_TEST_SUITE_P(Comms, CommTest,
                         ::testing::Values("bash", "", "a b c", ")", "((",
                                           ") S 1 1 1 (", "a\nb",
                                           "kworker/0:1H"));

class BadProcPidStatTest : public ::testing::TestWithParam<const char*> {};

TEST_P(BadProcPidStatTest, IsRefused) {
  EXPECT_TRUE(absl::IsInvalidArgument(ParseProcPidStat(GetParam()).status()));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BadProcPidStatTest,
    ::testing::Values("", "42", "42 (bash", "42 bash) S 1", ")(",
                      "42 (bash) S 7 42 42",
                      "42 (a) S x 4 4 0 -1 4 1 2 3 4 150 25 6 7 20 0 3 0 9 1",
                      "42 (a) S 7 4 4 0 -1 4 1 2 3 4 -1 25 6 7 20 0 3 0 9 1",
                      "42 (a) S 7 4 4 0 -1 4 1 2 3 4 1 2 6 7 20 0 3 0 -9 1"));

}  // namespace
}  // namespace fairsched::kernel
