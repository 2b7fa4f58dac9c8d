// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/foreign_writes.h"

#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"
#include "tests/support/fake_modify_watch.h"

namespace fairsched::kernel {
namespace {

using runtime::DriftCause;
using ::testing::ElementsAre;
using testing::FakeCgroupFs;
using testing::FakeModifyWatch;
using ::testing::IsEmpty;
using ::testing::Pair;

// Two user slices, as systemd has them.
class ForeignWritesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs_.MountUnified("/v2", {"cpu"});
    ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "+cpu").ok());
    ASSERT_TRUE(fs_.MakeDirectory("/v2/user.slice").ok());
    ASSERT_TRUE(
        fs_.Write("/v2/user.slice/cgroup.subtree_control", "+cpu").ok());
    for (const std::string& slice : {kOne, kTwo})
      ASSERT_TRUE(fs_.MakeDirectory(slice).ok());
    one_ = fs_.Inode(kOne).value();
    two_ = fs_.Inode(kTwo).value();
    ASSERT_TRUE(foreign_.Follow(one_, kOne));
    ASSERT_TRUE(foreign_.Follow(two_, kTwo));
  }
  void Write(const std::string& path, const std::string& text) {
    ASSERT_TRUE(fs_.Write(path, text).ok());
  }
  // As systemd applies a unit's CPU settings.
  void Realize(const std::string& cgroup) {
    Write(cgroup + "/cpu.idle", "0");
    Write(cgroup + "/cpu.weight", "100");
    Write(cgroup + "/cpu.max", "max 100000");
  }

  const std::string kOne = "/v2/user.slice/user-1001.slice";
  const std::string kTwo = "/v2/user.slice/user-1002.slice";
  FakeCgroupFs fs_;
  FakeModifyWatch watch_{fs_};
  ForeignWrites foreign_{&watch_};
  uint64_t one_ = 0, two_ = 0;
  absl::Duration now_ = absl::Seconds(1000);
};

TEST_F(ForeignWritesTest, TellsOfEveryWriteOnceWhateverItsValue) {
  EXPECT_THAT(foreign_.Take(now_), IsEmpty());
  Write(kOne + "/cpu.weight", "100");
  EXPECT_THAT(foreign_.Take(now_),
              ElementsAre(Pair(one_, DriftCause::kOtherWriter)));
  EXPECT_THAT(foreign_.Take(now_), IsEmpty());
}

TEST_F(ForeignWritesTest, OwnWritesAreNoNews) {
  Write(kOne + "/cpu.weight", "250");
  Write(kTwo + "/cpu.weight", "250");
  foreign_.Gather();
  foreign_.Disregard(one_, "cpu.weight");
  EXPECT_THAT(foreign_.Take(now_),
              ElementsAre(Pair(two_, DriftCause::kOtherWriter)));
}

TEST_F(ForeignWritesTest, WhatIsNotOfTheCpuControllerIsNoNews) {
  fs_.AddProcess(7, "/v2");
  Write(kOne + "/cgroup.procs", "7");
  EXPECT_THAT(foreign_.Take(now_), IsEmpty());
}

TEST_F(ForeignWritesTest, OneUnitThatIsAppliedIsASetProperty) {
  Realize(kOne);
  EXPECT_THAT(foreign_.Take(now_),
              ElementsAre(Pair(one_, DriftCause::kSetProperty)));
}

TEST_F(ForeignWritesTest, ManyUnitsThatAreAppliedAreAReload) {
  Realize(kOne);
  Realize(kTwo);
  EXPECT_THAT(foreign_.Take(now_),
              ElementsAre(Pair(one_, DriftCause::kReload),
                          Pair(two_, DriftCause::kReload)));
}

TEST_F(ForeignWritesTest, TheOnlyUserWithItsParentIsAReload) {
  foreign_.Forget(two_);
  Realize("/v2/user.slice");
  Realize(kOne);
  EXPECT_THAT(foreign_.Take(now_),
              ElementsAre(Pair(one_, DriftCause::kReload)));
}

TEST_F(ForeignWritesTest, AReloadThatTakesTwoTicksIsOne) {
  Realize("/v2/user.slice");
  Realize(kOne);
  foreign_.Take(now_);
  now_ += absl::Milliseconds(100);
  Realize(kTwo);
  EXPECT_THAT(foreign_.Take(now_),
              ElementsAre(Pair(two_, DriftCause::kReload)));
  now_ += ForeignWrites::kReloadSpan;
  Realize(kTwo);
  EXPECT_THAT(foreign_.Take(now_),
              ElementsAre(Pair(two_, DriftCause::kSetProperty)));
}

TEST_F(ForeignWritesTest, WhatCameFirstTurnsOutToBePartOfAReload) {
  Realize(kOne);
  EXPECT_THAT(foreign_.Take(now_),
              ElementsAre(Pair(one_, DriftCause::kSetProperty)));
  EXPECT_FALSE(foreign_.WasReload(now_));
  Realize(kTwo);
  EXPECT_THAT(foreign_.Take(now_ + absl::Milliseconds(300)),
              ElementsAre(Pair(two_, DriftCause::kReload)));
  EXPECT_TRUE(foreign_.WasReload(now_));
  EXPECT_FALSE(foreign_.WasReload(now_ - ForeignWrites::kReloadSpan));
}

TEST_F(ForeignWritesTest, OneUnitThatIsAppliedAgainAndAgainIsNoReload) {
  for (int i = 0; i < 5; ++i) {
    Realize(kOne);
    now_ += absl::Milliseconds(100);
    EXPECT_THAT(foreign_.Take(now_),
                ElementsAre(Pair(one_, DriftCause::kSetProperty)));
  }
}

TEST_F(ForeignWritesTest, AfterALossAnythingMayHaveBeenWritten) {
  watch_.Overflow();
  EXPECT_THAT(foreign_.Take(now_),
              ElementsAre(Pair(one_, DriftCause::kUnknown),
                          Pair(two_, DriftCause::kUnknown)));
  EXPECT_THAT(foreign_.Take(now_), IsEmpty());
}

TEST_F(ForeignWritesTest, WatchesThatRunOutAreTriedAgain) {
  foreign_.Forget(one_);
  foreign_.Forget(two_);
  EXPECT_EQ(watch_.size(), 0u);
  watch_.limit = 1;
  EXPECT_TRUE(foreign_.Follow(one_, kOne));
  EXPECT_FALSE(foreign_.Follow(two_, kTwo));
  EXPECT_FALSE(foreign_.Follows(two_));
  watch_.limit = 10;
  EXPECT_TRUE(foreign_.Follow(two_, kTwo));
  // The parent's was taken with the second only.
  foreign_.Forget(one_);
  EXPECT_EQ(watch_.size(), 2u);
  foreign_.Forget(two_);
  EXPECT_EQ(watch_.size(), 0u);
}

TEST_F(ForeignWritesTest, ACgroupMadeAnewHasAWatchOfItsOwn) {
  ASSERT_TRUE(fs_.RemoveDirectory(kOne).ok());
  ASSERT_TRUE(fs_.MakeDirectory(kOne).ok());
  const uint64_t anew = fs_.Inode(kOne).value();
  EXPECT_TRUE(foreign_.Follow(anew, kOne));
  EXPECT_FALSE(foreign_.Follows(one_));
  Write(kOne + "/cpu.weight", "7");
  EXPECT_THAT(foreign_.Take(now_),
              ElementsAre(Pair(anew, DriftCause::kOtherWriter)));
}

TEST_F(ForeignWritesTest, WithoutAWatchNothingIsTold) {
  ForeignWrites none(nullptr);
  EXPECT_FALSE(none.Follow(one_, kOne));
  EXPECT_THAT(none.Take(now_), IsEmpty());
}

}  // namespace
}  // namespace fairsched::kernel
