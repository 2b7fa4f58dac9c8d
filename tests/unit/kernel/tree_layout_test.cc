// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/tree_layout.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

using ::testing::ElementsAre;

TEST(TreeLayoutTest, IsTheSameInEveryMount) {
  const auto layout = TreeLayout::Make({.backend = Backend::kLegacy,
                                        .cpu = "/cg/cpu",
                                        .cpuacct = "/cg/cpuacct",
                                        .unified = "/cg/unified"},
                                       "/mydir");

  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_THAT(layout->mount_paths(),
              ElementsAre("/cg/cpu", "/cg/cpuacct", "/cg/unified"));
  EXPECT_EQ(layout->mounts()[0].controller, "cpu");
  EXPECT_EQ(layout->mounts()[1].controller, "cpuacct");
  EXPECT_EQ(layout->mounts()[2].controller, "");
  EXPECT_EQ(layout->root(), "/mydir/fairsched");
  EXPECT_EQ(layout->agent(), "/mydir/fairsched/agent");
  EXPECT_EQ(layout->Group(7), "/mydir/fairsched/users/uid-7");
}

TEST(TreeLayoutTest, ContainsItsRootAndWhatIsBelow) {
  const auto layout = TreeLayout::Make({.cpu = "/cg"}, "");

  EXPECT_TRUE(layout->Contains("/fairsched"));
  EXPECT_TRUE(layout->Contains("/fairsched/users/uid-7"));
  EXPECT_FALSE(layout->Contains("/fairsched2"));
  EXPECT_FALSE(layout->Contains("/a/fairsched"));
  EXPECT_FALSE(layout->Contains("/"));
}

class BadParentTest : public ::testing::TestWithParam<const char*> {};

TEST_P(BadParentTest, IsRefused) {
  EXPECT_TRUE(absl::IsInvalidArgument(
      TreeLayout::Make({.cpu = "/cg"}, GetParam()).status()));
}

INSTANTIATE_TEST_SUITE_P(Parents, BadParentTest,
                         ::testing::Values("a", "/", "/a/", "//a", "/a//b",
                                           "/..", "/a/../b", "/./a", "/a\nb"));

TEST(TreePathTest, ParentsEndAtTheRoot) {
  EXPECT_EQ(ParentOf("/a/b"), "/a");
  EXPECT_EQ(ParentOf("/a"), "/");
  EXPECT_EQ(CgroupPath("/cg", "/"), "/cg");
  EXPECT_EQ(CgroupPath("/cg", "/a"), "/cg/a");
}

TEST(UidOfGroupTest, HasOneSpellingPerUid) {
  EXPECT_EQ(UidOfGroup("uid-1001"), 1001);
  EXPECT_EQ(UidOfGroup("uid-0"), 0);
  for (const char* const other : {"uid-", "uid-01", "uid-+1", "uid--1",
                                  "uid-1x", "1", "agent", "uid-4294967296"}) {
    EXPECT_EQ(UidOfGroup(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace fairsched::kernel
