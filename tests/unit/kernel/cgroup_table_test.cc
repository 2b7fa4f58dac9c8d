// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_table.h"

#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::kernel {
namespace {

using core::CpuTime;

class CgroupTableTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs_.MountUnified("/v2", {"cpu"});
    ASSERT_TRUE(fs_.MakeDirectory("/v2/a").ok());
    fs_.SetUsage("/v2/a", 5);
  }
  testing::FakeCgroupFs fs_;
  CgroupTable table_{fs_,
                     {.backend = Backend::kUnified,
                      .cpu = "/v2",
                      .cpuacct = "",
                      .unified = ""}};
};

TEST_F(CgroupTableTest, OpensOnFirstUseAndFindsByInode) {
  const uint64_t inode = fs_.Inode("/v2/a").value();
  EXPECT_EQ(table_.Find(inode), nullptr);

  const CgroupTable::Reading reading = table_.Read("/a").value();

  EXPECT_EQ(reading.inode, inode);
  EXPECT_EQ(reading.counters.usage, CpuTime::Usec(5));
  ASSERT_NE(table_.Find(inode), nullptr);
  EXPECT_EQ(table_.Find(inode)->path(), "/a");
}

TEST_F(CgroupTableTest, AGroupMadeAnewIsAnotherOne) {
  const uint64_t old_inode = table_.Read("/a")->inode;
  ASSERT_TRUE(fs_.RemoveDirectory("/v2/a").ok());
  ASSERT_TRUE(fs_.MakeDirectory("/v2/a").ok());

  const CgroupTable::Reading reading = table_.Read("/a").value();

  EXPECT_NE(reading.inode, old_inode);
  EXPECT_EQ(reading.counters.usage, CpuTime());
  EXPECT_EQ(table_.Find(old_inode), nullptr);
  EXPECT_NE(table_.Find(reading.inode), nullptr);
}

TEST_F(CgroupTableTest, AGroupThatIsGoneIsNotFoundAndDropped) {
  const uint64_t inode = table_.Read("/a")->inode;
  ASSERT_TRUE(fs_.RemoveDirectory("/v2/a").ok());
  EXPECT_TRUE(absl::IsNotFound(table_.Read("/a").status()));
  EXPECT_EQ(table_.Find(inode), nullptr);
}

TEST_F(CgroupTableTest, AnErrorThatPassesKeepsTheGroup) {
  const uint64_t inode = table_.Read("/a")->inode;
  fs_.FailNext("cpu.stat", testing::FsOp::kRead, absl::InternalError("io"));
  EXPECT_TRUE(absl::IsInternal(table_.Read("/a").status()));
  EXPECT_NE(table_.Find(inode), nullptr);
  EXPECT_TRUE(table_.Read("/a").ok());
}

TEST_F(CgroupTableTest, WhatNobodyReadsAnyMoreIsDroppedOnceItIsGone) {
  const uint64_t inode = table_.Read("/a")->inode;
  table_.DropGone();
  table_.DropGone();
  EXPECT_NE(table_.Find(inode), nullptr);

  ASSERT_TRUE(fs_.RemoveDirectory("/v2/a").ok());
  table_.DropGone();

  EXPECT_EQ(table_.Find(inode), nullptr);
}

TEST_F(CgroupTableTest, ReadsAreCountedOverGroupsThatWereDropped) {
  const uint64_t inode = table_.Read("/a")->inode;
  EXPECT_EQ(table_.reads(), 2);
  table_.Drop(inode);
  table_.Drop(inode);
  EXPECT_EQ(table_.reads(), 2);
  ASSERT_TRUE(table_.Read("/a").ok());
  EXPECT_EQ(table_.reads(), 4);
}

}  // namespace
}  // namespace fairsched::kernel
