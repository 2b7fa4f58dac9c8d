// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_cgroup_fs.h"

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

// The fake is believed by every other test of this layer: what it promises of
// the kernel is tested like the kernel.
namespace fairsched::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr char kUnified[] = "/sys/fs/cgroup";
constexpr char kGroup[] = "/sys/fs/cgroup/a";
constexpr char kLegacyGroup[] = "/sys/fs/cgroup/cpu/a";

std::string In(const std::string& group, const std::string& file) {
  return group + "/" + file;
}

class FakeUnifiedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs_.MountUnified(kUnified, {"cpu", "memory"});
    ASSERT_TRUE(fs_.Write(In(kUnified, "cgroup.subtree_control"), "+cpu").ok());
    ASSERT_TRUE(fs_.MakeDirectory(kGroup).ok());
  }
  absl::Status Set(const std::string& file, const std::string& value) {
    return fs_.Write(In(kGroup, file), value);
  }
  std::string Get(const std::string& file) {
    return fs_.Read(In(kGroup, file)).value_or("unreadable");
  }
  FakeCgroupFs fs_;
};

class FakeLegacyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs_.MountLegacy("/sys/fs/cgroup/cpu", {"cpu"});
    fs_.MountLegacy("/sys/fs/cgroup/cpuacct", {"cpuacct"});
    ASSERT_TRUE(fs_.MakeDirectory(kLegacyGroup).ok());
  }
  absl::Status Set(const std::string& file, const std::string& value) {
    return fs_.Write(In(kLegacyGroup, file), value);
  }
  std::string Get(const std::string& file) {
    return fs_.Read(In(kLegacyGroup, file)).value_or("unreadable");
  }
  FakeCgroupFs fs_;
};

TEST_F(FakeUnifiedTest, ANewGroupHasTheKernelsDefaults) {
  EXPECT_EQ(Get("cpu.weight"), "100\n");
  EXPECT_EQ(Get("cpu.idle"), "0\n");
  EXPECT_EQ(Get("cpu.max"), "max 100000\n");
  EXPECT_EQ(Get("cpu.max.burst"), "0\n");
  EXPECT_EQ(Get("cgroup.procs"), "");
  EXPECT_EQ(Get("cgroup.controllers"), "cpu\n");
}

TEST_F(FakeUnifiedTest, TheControllersFilesAreThereOnlyWhereTheParentSaysSo) {
  ASSERT_TRUE(fs_.MakeDirectory(In(kGroup, "b")).ok());
  const std::string weight = In(kGroup, "b/cpu.weight");
  EXPECT_TRUE(absl::IsNotFound(fs_.Read(weight).status()));
  EXPECT_TRUE(fs_.Read(In(kGroup, "b/cpu.stat")).ok());

  ASSERT_TRUE(Set("cgroup.subtree_control", "+cpu").ok());
  ASSERT_TRUE(fs_.Write(weight, "7").ok());
  ASSERT_TRUE(Set("cgroup.subtree_control", "-cpu").ok());
  EXPECT_TRUE(absl::IsNotFound(fs_.Read(weight).status()));

  ASSERT_TRUE(Set("cgroup.subtree_control", "+cpu").ok());
  EXPECT_EQ(fs_.Read(weight).value(), "100\n");
}

TEST_F(FakeUnifiedTest, SubtreeControlRefusesWhatIsNotOffered) {
  EXPECT_TRUE(absl::IsNotFound(Set("cgroup.subtree_control", "+memory")));
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cgroup.subtree_control", "+x")));
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cgroup.subtree_control", "cpu")));
}

TEST_F(FakeUnifiedTest, AWeightOutOfRangeIsRefused) {
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.weight", "0")));
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.weight", "10001")));
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.weight", "much")));
  EXPECT_TRUE(Set("cpu.weight", "10000").ok());
  EXPECT_EQ(Get("cpu.weight"), "10000\n");
}

TEST_F(FakeUnifiedTest, AnIdleGroupRefusesAWeightAndForgetsTheOneItHad) {
  ASSERT_TRUE(Set("cpu.weight", "250").ok());
  ASSERT_TRUE(Set("cpu.idle", "1").ok());
  EXPECT_EQ(Get("cpu.weight"), "0\n");
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.weight", "300")));

  ASSERT_TRUE(Set("cpu.idle", "0").ok());

  EXPECT_EQ(Get("cpu.weight"), "100\n");
}

TEST_F(FakeUnifiedTest, ACeilingKeepsTheKernelsBounds) {
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.max", "999 100000")));
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.max", "max 999")));
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.max", "max 1000001")));
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.max", "-1 100000")));
  ASSERT_TRUE(Set("cpu.max", "20000 50000").ok());
  ASSERT_TRUE(Set("cpu.max", "10000").ok());
  EXPECT_EQ(Get("cpu.max"), "10000 50000\n");
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.max.burst", "10001")));
  ASSERT_TRUE(Set("cpu.max.burst", "10000").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.max", "9000 50000")));
}

TEST_F(FakeUnifiedTest, TheRootTakesNoValuesAndOthersAreReadOnly) {
  EXPECT_TRUE(absl::IsNotFound(fs_.Write(In(kUnified, "cpu.weight"), "7")));
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.stat", "1")));
}

TEST_F(FakeUnifiedTest, AWriteMakesNoFile) {
  EXPECT_TRUE(absl::IsNotFound(Set("cpu.shares", "1")));
  EXPECT_TRUE(absl::IsNotFound(fs_.Write("/proc/1/comm", "x")));
}

TEST_F(FakeUnifiedTest, AKeptFileIsDeadOnceItsGroupIsRemoved) {
  const std::unique_ptr<kernel::File> weight =
      fs_.Open(In(kGroup, "cpu.weight")).value();
  const uint64_t inode = fs_.Inode(kGroup).value();
  fs_.SetUsage(kGroup, 500);
  ASSERT_TRUE(fs_.RemoveDirectory(kGroup).ok());
  EXPECT_TRUE(absl::IsNotFound(fs_.Read(In(kGroup, "cpu.stat")).status()));

  ASSERT_TRUE(fs_.MakeDirectory(kGroup).ok());

  EXPECT_TRUE(absl::IsNotFound(weight->Read().status()));
  EXPECT_TRUE(absl::IsNotFound(weight->Write("7")));
  EXPECT_NE(fs_.Inode(kGroup).value(), inode);
  EXPECT_THAT(Get("cpu.stat"), ::testing::StartsWith("usage_usec 0\n"));
}

TEST_F(FakeUnifiedTest, AGroupWithProcessesOrChildrenIsNotRemoved) {
  ASSERT_TRUE(fs_.MakeDirectory(In(kGroup, "b")).ok());
  EXPECT_TRUE(absl::IsUnavailable(fs_.RemoveDirectory(kGroup)));
  fs_.AddProcess(7, In(kGroup, "b"));
  EXPECT_TRUE(absl::IsUnavailable(fs_.RemoveDirectory(In(kGroup, "b"))));
  fs_.RemoveProcess(7);
  EXPECT_TRUE(fs_.RemoveDirectory(In(kGroup, "b")).ok());
  EXPECT_TRUE(fs_.RemoveDirectory(kGroup).ok());
}

TEST_F(FakeUnifiedTest, AProcessIsInOneGroupOfATree) {
  fs_.MountLegacy("/v1", {"cpuacct"});
  fs_.AddProcess(7, kUnified);
  EXPECT_EQ(fs_.Read("/v1/cgroup.procs").value(), "7\n");

  ASSERT_TRUE(Set("cgroup.procs", "7").ok());

  EXPECT_EQ(Get("cgroup.procs"), "7\n");
  EXPECT_EQ(fs_.Read(In(kUnified, "cgroup.procs")).value(), "");
  EXPECT_EQ(fs_.Read("/v1/cgroup.procs").value(), "7\n");
}

TEST_F(FakeUnifiedTest, SomeProcessesCantBeMoved) {
  fs_.AddProcess(2, kUnified);
  fs_.AddProcess(7, kUnified);
  EXPECT_TRUE(absl::IsNotFound(Set("cgroup.procs", "8")));
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cgroup.procs", "2")));
  ASSERT_TRUE(Set("cgroup.subtree_control", "+cpu").ok());
  EXPECT_TRUE(absl::IsUnavailable(Set("cgroup.procs", "7")));
}

TEST_F(FakeUnifiedTest, PressureIsNotSupportedOnceItIsOff) {
  fs_.SetPressure(kGroup, 1500);
  EXPECT_THAT(Get("cpu.pressure"), ::testing::HasSubstr(" total=1500\n"));
  fs_.DisablePressure();
  EXPECT_TRUE(
      absl::IsUnimplemented(fs_.Read(In(kGroup, "cpu.pressure")).status()));
}

TEST_F(FakeUnifiedTest, ListsGroupsAndPlainDirectories) {
  ASSERT_TRUE(fs_.MakeDirectory(In(kGroup, "b")).ok());
  fs_.Put("/proc/12/stat", "");
  fs_.Put("/proc/13/task/14/stat", "");
  EXPECT_THAT(fs_.ListDirectories(kUnified).value(), ElementsAre("a"));
  EXPECT_THAT(fs_.ListDirectories(In(kGroup, "b")).value(), ElementsAre());
  EXPECT_THAT(fs_.ListDirectories("/proc").value(),
              UnorderedElementsAre("12", "13", "self"));
  fs_.Remove("/proc/12");
  EXPECT_TRUE(absl::IsNotFound(fs_.ListDirectories("/proc/12").status()));
}

TEST_F(FakeUnifiedTest, AFaultIsTakenAsOftenAsPlannedByItsOperationAlone) {
  fs_.FailNext("/a/cpu.weight", FsOp::kWrite,
               absl::PermissionDeniedError("planned"), 2);
  EXPECT_TRUE(fs_.Read(In(kGroup, "cpu.weight")).ok());
  EXPECT_TRUE(absl::IsPermissionDenied(Set("cpu.weight", "7")));
  EXPECT_TRUE(absl::IsPermissionDenied(Set("cpu.weight", "7")));
  EXPECT_EQ(Get("cpu.weight"), "100\n");
  EXPECT_TRUE(Set("cpu.weight", "7").ok());
}

TEST_F(FakeUnifiedTest, WritesAreLoggedInOrderWhetherTakenOrNot) {
  fs_.TakeWrites();
  ASSERT_FALSE(Set("cpu.weight", "0").ok());
  ASSERT_TRUE(Set("cpu.weight", "7").ok());
  EXPECT_THAT(fs_.TakeWrites(),
              ElementsAre(FakeWrite{In(kGroup, "cpu.weight"), "0"},
                          FakeWrite{In(kGroup, "cpu.weight"), "7"}));
  EXPECT_THAT(fs_.TakeWrites(), ElementsAre());
}

TEST_F(FakeLegacyTest, ANewGroupHasTheKernelsDefaults) {
  EXPECT_EQ(Get("cpu.shares"), "1024\n");
  EXPECT_EQ(Get("cpu.idle"), "0\n");
  EXPECT_EQ(Get("cpu.cfs_quota_us"), "-1\n");
  EXPECT_EQ(Get("cpu.cfs_period_us"), "100000\n");
  EXPECT_EQ(Get("cpu.cfs_burst_us"), "0\n");
  EXPECT_EQ(Get("tasks"), "");
}

TEST_F(FakeLegacyTest, SharesAreClampedNotRefused) {
  ASSERT_TRUE(Set("cpu.shares", "1").ok());
  EXPECT_EQ(Get("cpu.shares"), "2\n");
  ASSERT_TRUE(Set("cpu.shares", "300000").ok());
  EXPECT_EQ(Get("cpu.shares"), "262144\n");
}

TEST_F(FakeLegacyTest, AnIdleGroupReadsThreeSharesAndLeavesWithTheDefault) {
  ASSERT_TRUE(Set("cpu.shares", "2048").ok());
  ASSERT_TRUE(Set("cpu.idle", "1").ok());
  EXPECT_EQ(Get("cpu.shares"), "3\n");
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.shares", "500")));
  ASSERT_TRUE(Set("cpu.idle", "0").ok());
  EXPECT_EQ(Get("cpu.shares"), "1024\n");
}

TEST_F(FakeLegacyTest, ACeilingKeepsTheKernelsBounds) {
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.cfs_quota_us", "999")));
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.cfs_quota_us", "0")));
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.cfs_period_us", "500")));
  EXPECT_TRUE(Set("cpu.cfs_quota_us", "50000").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.cfs_burst_us", "60000")));
}

TEST_F(FakeLegacyTest, UsageIsInNanosecondsInTheTreeThatCountsIt) {
  ASSERT_TRUE(fs_.MakeDirectory("/sys/fs/cgroup/cpuacct/a").ok());
  fs_.SetUsage("/sys/fs/cgroup/cpuacct/a", 5);
  EXPECT_EQ(fs_.Read("/sys/fs/cgroup/cpuacct/a/cpuacct.usage").value(),
            "5000\n");
  EXPECT_EQ(Get("cpuacct.usage"), "unreadable");
}

TEST_F(FakeLegacyTest, TheRootTakesNoValues) {
  EXPECT_TRUE(
      absl::IsInvalidArgument(fs_.Write("/sys/fs/cgroup/cpu/cpu.shares", "7")));
}

TEST_F(FakeLegacyTest, AnOlderKernelLacksAFileEverywhere) {
  fs_.WithoutFile("cpu.idle");
  EXPECT_TRUE(absl::IsNotFound(Set("cpu.idle", "1")));
}

TEST_F(FakeLegacyTest, NobodyHasALargerPartOfItsTimeThanItsParent) {
  ASSERT_TRUE(Set("cpu.cfs_quota_us", "50000").ok());
  ASSERT_TRUE(fs_.MakeDirectory("/sys/fs/cgroup/cpu/a/b").ok());
  const std::string child = "/sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us";
  EXPECT_TRUE(absl::IsInvalidArgument(fs_.Write(child, "60000")));
  EXPECT_TRUE(fs_.Write(child, "40000").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(Set("cpu.cfs_quota_us", "30000")));
  EXPECT_EQ(Get("cpu.cfs_quota_us"), "50000\n");
}

class FakeUnifiedRulesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs_.MountUnified("/v2", {"cpu"});
    for (const char* path : {"/v2/a", "/v2/a/b", "/v2/a/c"})
      ASSERT_TRUE(fs_.MakeDirectory(path).ok());
    ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "+cpu").ok());
  }
  absl::Status SubtreeControl(const std::string& path,
                              const std::string& text) {
    return fs_.Write(path + "/cgroup.subtree_control", text);
  }
  FakeCgroupFs fs_;
};

TEST_F(FakeUnifiedRulesTest, NoControllerForTheChildrenOfAPopulatedGroup) {
  fs_.AddProcess(7, "/v2/a");
  EXPECT_TRUE(absl::IsUnavailable(SubtreeControl("/v2/a", "+cpu")));
  fs_.AddProcess(7, "/v2");
  EXPECT_TRUE(SubtreeControl("/v2/a", "+cpu").ok());
  EXPECT_TRUE(absl::IsUnavailable(fs_.Write("/v2/a/cgroup.procs", "7")));
}

TEST_F(FakeUnifiedRulesTest, AControllerGoesFromTheLeavesUp) {
  ASSERT_TRUE(SubtreeControl("/v2/a", "+cpu").ok());
  EXPECT_TRUE(absl::IsUnavailable(SubtreeControl("/v2", "-cpu")));
  EXPECT_TRUE(SubtreeControl("/v2/a", "-cpu").ok());
  EXPECT_TRUE(SubtreeControl("/v2", "-cpu").ok());
}

TEST_F(FakeUnifiedRulesTest, AThreadedGroupHasNoProcessesToRead) {
  ASSERT_TRUE(fs_.Write("/v2/a/b/cgroup.type", "threaded").ok());
  EXPECT_TRUE(absl::IsUnimplemented(fs_.Read("/v2/a/b/cgroup.procs").status()));
  EXPECT_TRUE(fs_.Read("/v2/a/b/cgroup.threads").ok());
  EXPECT_EQ(fs_.Read("/v2/a/c/cgroup.type").value(), "domain invalid\n");
  fs_.AddProcess(7, "/v2");
  EXPECT_TRUE(absl::IsUnimplemented(fs_.Write("/v2/a/c/cgroup.procs", "7")));
}

TEST_F(FakeUnifiedRulesTest, ThereAreAsManyDescendantsAsMayBe) {
  ASSERT_TRUE(fs_.Write("/v2/a/cgroup.max.descendants", "2").ok());
  EXPECT_TRUE(absl::IsUnavailable(fs_.MakeDirectory("/v2/a/d")));
  EXPECT_TRUE(absl::IsUnavailable(fs_.MakeDirectory("/v2/a/b/d")));
  EXPECT_TRUE(fs_.MakeDirectory("/v2/d").ok());
}

TEST_F(FakeUnifiedRulesTest, ANameHasNoNewline) {
  EXPECT_TRUE(absl::IsInvalidArgument(fs_.MakeDirectory("/v2/a\nb")));
  EXPECT_TRUE(fs_.MakeDirectory("/v2/a \\\"b").ok());
}

TEST_F(FakeUnifiedRulesTest, AQuotaEndsWhereTheKernelsNumbersDo) {
  EXPECT_TRUE(absl::IsInvalidArgument(
      fs_.Write("/v2/a/cpu.max", "17592186044416 100000")));
  EXPECT_TRUE(fs_.Write("/v2/a/cpu.max", "17592186044415 100000").ok());
}

TEST_F(FakeUnifiedRulesTest, AFaultIsAtTheTimePlanned) {
  int delays = 0;
  fs_.Plan({.part = "cpu.max",
            .op = FsOp::kWrite,
            .error = absl::UnavailableError("busy"),
            .after = 1,
            .times = 2,
            .delay = [&delays] { ++delays; }});
  const auto write = [this] { return fs_.Write("/v2/a/cpu.max", "max"); };
  EXPECT_TRUE(write().ok());
  EXPECT_TRUE(absl::IsUnavailable(write()));
  EXPECT_TRUE(absl::IsUnavailable(write()));
  EXPECT_TRUE(write().ok());
  EXPECT_EQ(delays, 2);
}

}  // namespace
}  // namespace fairsched::testing
