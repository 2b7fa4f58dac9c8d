// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/proc_cgroup.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ParseProcCgroupTest, ReadsHierarchiesOfBothVersions) {
  const auto lines = ParseProcCgroup(
      "9:name=systemd:/\n4:cpu,cpuacct:/a/b\n1:cpuset:/c\n0::/d\n");

  ASSERT_TRUE(lines.ok()) << lines.status();
  ASSERT_EQ(lines->size(), 4u);
  EXPECT_EQ((*lines)[1].hierarchy, 4);
  EXPECT_THAT((*lines)[1].controllers, ElementsAre("cpu", "cpuacct"));
  EXPECT_THAT((*lines)[3].controllers, IsEmpty());
  EXPECT_EQ(PathIn(*lines, "cpu"), "/a/b");
  EXPECT_EQ(PathIn(*lines, "cpuacct"), "/a/b");
  EXPECT_EQ(PathIn(*lines, ""), "/d");
  EXPECT_EQ(PathIn(*lines, "memory"), std::nullopt);
}

TEST(ParseProcCgroupTest, CpusetIsNotCpu) {
  const auto lines = ParseProcCgroup("1:cpuset:/a\n");

  EXPECT_EQ(PathIn(*lines, "cpu"), std::nullopt);
}

TEST(ParseProcCgroupTest, TakesAnyByteInAPath) {
  const auto lines = ParseProcCgroup("1:cpu:/a:b c\\\"\xff: (deleted)/x\n");

  ASSERT_TRUE(lines.ok()) << lines.status();
  EXPECT_EQ(PathIn(*lines, "cpu"), "/a:b c\\\"\xff: (deleted)/x");
}

TEST(ParseProcCgroupTest, ATaskOfNoHierarchyIsInNone) {
  EXPECT_THAT(*ParseProcCgroup(""), IsEmpty());
}

class BadProcCgroupTest : public ::testing::TestWithParam<const char*> {};

TEST_P(BadProcCgroupTest, IsRefused) {
  EXPECT_TRUE(absl::IsInvalidArgument(ParseProcCgroup(GetParam()).status()));
}

INSTANTIATE_TEST_SUITE_P(Texts, BadProcCgroupTest,
                         ::testing::Values("1:cpu", "1", "x:cpu:/a", ":cpu:/a",
                                           "-1:cpu:/a", "1:cpu:a",
                                           "1:cpu:", "1:cpu:/a\ngarbage"));

TEST(ProcCgroupPathTest, SaysWhatIsDeletedAndWhatIsOutside) {
  EXPECT_TRUE(LooksDeleted("/a (deleted)"));
  EXPECT_FALSE(LooksDeleted("/a (deleted)/b"));
  EXPECT_TRUE(IsOutside("/.."));
  EXPECT_TRUE(IsOutside("/../a"));
  EXPECT_FALSE(IsOutside("/"));
  EXPECT_FALSE(IsOutside("/..a"));
}

}  // namespace
}  // namespace fairsched::kernel
