// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/restore.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::kernel {
namespace {

using ::testing::ElementsAre;
using testing::FakeCgroupFs;
using testing::FakeWrite;

TEST(ZeroBurstsTest, OnlySlicesOfUidsAreTouched) {
  FakeCgroupFs fs;
  fs.MountUnified("/v2", {"cpu"});
  ASSERT_TRUE(fs.Write("/v2/cgroup.subtree_control", "+cpu").ok());
  ASSERT_TRUE(fs.MakeDirectory("/v2/user.slice").ok());
  ASSERT_TRUE(fs.Write("/v2/user.slice/cgroup.subtree_control", "+cpu").ok());
  for (const char* name :
       {"user-1001.slice", "user-1002.slice", "user-x.slice", "other.slice"}) {
    const std::string path = std::string("/v2/user.slice/") + name;
    ASSERT_TRUE(fs.MakeDirectory(path).ok());
    ASSERT_TRUE(fs.Write(path + "/cpu.max", "50000 100000").ok());
    if (std::string(name) == "user-1002.slice") continue;  // 0 already
    ASSERT_TRUE(fs.Write(path + "/cpu.max.burst", "10000").ok());
  }
  fs.TakeWrites();

  const RestoreReport report = ZeroBursts(fs, "/v2");

  EXPECT_THAT(fs.TakeWrites(),
              ElementsAre(FakeWrite{
                  "/v2/user.slice/user-1001.slice/cpu.max.burst", "0"}));
  EXPECT_EQ(report.restored, 2);
  EXPECT_EQ(report.gone, 0);
  EXPECT_TRUE(report.failed.empty());
}

TEST(ZeroBurstsTest, WhereThereAreNoSlicesThereIsNothingToDo) {
  FakeCgroupFs fs;
  fs.MountUnified("/v2", {"cpu"});
  const RestoreReport report = ZeroBursts(fs, "/v2");
  EXPECT_EQ(report.restored, 0);
  EXPECT_TRUE(report.failed.empty());
}

}  // namespace
}  // namespace fairsched::kernel
