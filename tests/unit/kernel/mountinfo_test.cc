// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/mountinfo.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ParseMountinfoTest, TakesRootPointTypeAndSuperOptions) {
  EXPECT_THAT(
      ParseMountinfo(
          "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
          "32 31 0:29 /a /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct"),
      ElementsAre(Mount{.root = "/",
                        .point = "/proc",
                        .type = "proc",
                        .super_options = {"rw"}},
                  Mount{.root = "/a",
                        .point = "/sys/fs/cgroup/cpu",
                        .type = "cgroup",
                        .super_options = {"rw", "cpu", "cpuacct"}}));
}

TEST(ParseMountinfoTest, AnyNumberOfOptionalFieldsMayComeBeforeTheDash) {
  for (const char* optional : {"", "shared:4 ", "shared:4 master:2 x "}) {
    const std::string line = std::string("1 2 0:3 / /m rw ") + optional +
                             "- cgroup2 none rw,nsdelegate\n";
    const std::vector<Mount> mounts = ParseMountinfo(line);
    ASSERT_EQ(mounts.size(), 1u) << line;
    EXPECT_EQ(mounts[0].type, "cgroup2");
    EXPECT_THAT(mounts[0].super_options, ElementsAre("rw", "nsdelegate"));
  }
}

TEST(ParseMountinfoTest, EscapesInPathsAreUndone) {
  const std::vector<Mount> mounts =
      ParseMountinfo(R"(1 2 0:3 /a\040b /x\011y\134z\0 rw - t s rw)");
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_EQ(mounts[0].root, "/a b");
  EXPECT_EQ(mounts[0].point, "/x\ty\\z\\0");
}

TEST(ParseMountinfoTest, ADashThatIsAMountPointIsNotTheSeparator) {
  const std::vector<Mount> mounts =
      ParseMountinfo("1 2 0:3 - - rw - cgroup2 none rw");
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_EQ(mounts[0].point, "-");
  EXPECT_EQ(mounts[0].type, "cgroup2");
}

TEST(ParseMountinfoTest, LinesOfAnotherFormAreLeftOut) {
  EXPECT_THAT(ParseMountinfo(""), IsEmpty());
  EXPECT_THAT(ParseMountinfo(std::string(10000, 'x')), IsEmpty());
  EXPECT_THAT(ParseMountinfo("1 2 0:3 / /m rw - cgroup2 none\n"), IsEmpty());
  EXPECT_THAT(ParseMountinfo("1 2 0:3 / /m rw cgroup2 none rw\n"), IsEmpty());
  EXPECT_EQ(ParseMountinfo("1 2 0:3 / /m rw - t s rw\n4 5 0:6 / /n r").size(),
            1u);
}

}  // namespace
}  // namespace fairsched::kernel
