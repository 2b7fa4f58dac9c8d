// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/proc_status.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

using ::testing::HasSubstr;

// A status with `name`, as the kernel has escaped it, and the other lines.
std::string StatusOf(const std::string& name, const std::string& more = "") {
  return "Name:\t" + name +
         "\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t42\nPid:\t42\n"
         "PPid:\t7\nUid:\t1001\t0\t0\t0\nGid:\t5\t5\t5\t5\nThreads:\t3\n" +
         more;
}

TEST(ParseProcStatusTest, ReadsWhatScansNeed) {
  const absl::StatusOr<ProcStatus> status = ParseProcStatus(StatusOf("bash"));

  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_EQ(status->name, "bash");
  EXPECT_EQ(status->state, 'S');
  EXPECT_EQ(status->tgid, 42);
  EXPECT_EQ(status->ppid, 7);
  EXPECT_EQ(status->ruid, 1001);  // the real one, whatever the effective is
  EXPECT_EQ(status->threads, 3);
  EXPECT_FALSE(status->kthread.has_value());
}

TEST(ParseProcStatusTest, KnowsKernelThreadsWhereTheKernelSaysSo) {
  EXPECT_EQ(ParseProcStatus(StatusOf("a", "Kthread:\t1\n"))->kthread, true);
  EXPECT_EQ(ParseProcStatus(StatusOf("a", "Kthread:\t0\n"))->kthread, false);
}

struct NameCase {
  const char* name;
  const char* hostile;
};
class HostileNameTest : public ::testing::TestWithParam<NameCase> {};

TEST_P(HostileNameTest, ForgesNoOtherLine) {
  const absl::StatusOr<ProcStatus> status =
      ParseProcStatus(StatusOf(GetParam().hostile));

  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_EQ(status->name, GetParam().hostile);
  EXPECT_EQ(status->ruid, 1001);
}

INSTANTIATE_TEST_SUITE_P(
    Names, HostileNameTest,
    ::testing::Values(NameCase{"Uid", "Uid:\t0\t0"},
                      NameCase{"EscapedNewline", "a\\nUid:\t0"},
                      NameCase{"Spaces", " a b "}, NameCase{"Empty", ""},
                      NameCase{"Colons", ":::"},
                      NameCase{"NotUtf8", "\xff\xfe"}),
    [](const auto& c) { return std::string(c.param.name); });

struct BadCase {
  const char* name;
  const char* text;
  const char* message;
};
class BadProcStatusTest : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadProcStatusTest, IsRefusedByTheNameOfTheLine) {
  const absl::Status status = ParseProcStatus(GetParam().text).status();

  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BadProcStatusTest,
    ::testing::Values(
        BadCase{"Empty", "", "Name:"},
        BadCase{"NoState", "Name:\ta\n", "State:"},
        BadCase{"EmptyState", "Name:\ta\nState:\t\n", "State:"},
        BadCase{"CutShort", "Name:\ta\nState:\tS\nTgid:\t1\nPPid:\t1\n",
                "Uid:"},
        BadCase{"UidIsAWord",
                "Name:\ta\nState:\tS\nTgid:\t1\nPPid:\t1\nUid:\tx\n", "Uid:"},
        BadCase{"UidIsNegative",
                "Name:\ta\nState:\tS\nTgid:\t1\nPPid:\t1\nUid:\t-1\n", "Uid:"},
        BadCase{"UidIsTooLong",
                "Name:\ta\nState:\tS\nTgid:\t1\nPPid:\t1\nUid:\t4294967296\n",
                "Uid:"}),
    [](const auto& c) { return std::string(c.param.name); });

TEST(ParseLoginUidTest, TheKernelsMarkForNoneIsNone) {
  EXPECT_EQ(*ParseLoginUid("1001"), 1001);
  EXPECT_EQ(*ParseLoginUid("0"), 0);
  EXPECT_EQ(*ParseLoginUid("4294967294\n"), 4294967294);
  EXPECT_EQ(*ParseLoginUid("4294967295"), std::nullopt);
  EXPECT_TRUE(absl::IsInvalidArgument(ParseLoginUid("").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(ParseLoginUid("-1").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(ParseLoginUid("alice").status()));
}

}  // namespace
}  // namespace fairsched::kernel
