// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_actuator.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"
#include "tests/unit/kernel/cgroup_actuator_fixture.h"

namespace fairsched::kernel {
namespace {

using core::CpuValues;
using runtime::ApplyReport;
using runtime::NotEnforced;
using ::testing::ElementsAre;
using testing::FakeWrite;
using testing::FsOp;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(CgroupActuatorTest, WritesWhatDiffersAndNothingElse) {
  Make("a");
  Make("b");
  wanted_["a"] = Weight(250);

  const ApplyReport report = Apply();

  EXPECT_THAT(fs_.TakeWrites(),
              ElementsAre(FakeWrite{"/v2/a/cpu.weight", "250"}));
  EXPECT_EQ(report.attempted_writes, 1);
  EXPECT_EQ(report.failed_writes, 0);
  EXPECT_EQ(report.writes.at("cpu.weight").done, 1);
  ASSERT_TRUE(report.cgroups.contains(Inode("a")));
  EXPECT_EQ(report.cgroups.at(Inode("a")).path, "/a");
  EXPECT_EQ(report.cgroups.at(Inode("a")).values, Weight(250));
  EXPECT_EQ(report.cgroups.at(Inode("a")).problem, std::nullopt);
  EXPECT_EQ(report.cgroups.at(Inode("b")).values, CpuValues());
}

TEST_F(CgroupActuatorTest, TheSameDecisionTwiceIsWrittenOnce) {
  Make("a");
  wanted_["a"] = Weight(250);
  Apply();
  fs_.TakeWrites();

  const ApplyReport report = Apply();

  EXPECT_THAT(fs_.TakeWrites(), IsEmpty());
  EXPECT_EQ(report.attempted_writes, 0);
  EXPECT_EQ(report.writes.at("cpu.weight").done, 1);
}

TEST_F(CgroupActuatorTest, BetweenTicksOnlyWhatChangesIsWritten) {
  Make("a");
  Make("b");
  wanted_["a"] = Weight(250);
  Apply();
  fs_.TakeWrites();

  actuator_.Adjust({{.inode = Inode("a"), .wanted = kIdle}}, absl::Seconds(1));

  EXPECT_THAT(fs_.TakeWrites(), ElementsAre(FakeWrite{"/v2/a/cpu.idle", "1"}));
  wanted_["a"] = kIdle;
  EXPECT_EQ(Apply().attempted_writes, 0);
}

TEST_F(CgroupActuatorTest, OnItsWayIntoIdleAGroupNeedsNoWeight) {
  Make("a");
  wanted_["a"] = {.weight = 250, .idle = true};
  Apply();
  EXPECT_THAT(fs_.TakeWrites(), ElementsAre(FakeWrite{"/v2/a/cpu.idle", "1"}));
  wanted_["a"].weight = 300;
  Apply();
  EXPECT_THAT(fs_.TakeWrites(), IsEmpty());
}

TEST_F(CgroupActuatorTest, OutOfIdleTheWeightComesAfterIdle) {
  Make("a");
  wanted_["a"] = Weight(250);
  Apply();
  wanted_["a"] = kIdle;
  Apply();
  fs_.TakeWrites();

  wanted_["a"] = Weight(250);
  const ApplyReport report = Apply();

  EXPECT_THAT(fs_.TakeWrites(),
              ElementsAre(FakeWrite{"/v2/a/cpu.idle", "0"},
                          FakeWrite{"/v2/a/cpu.weight", "250"}));
  EXPECT_EQ(report.cgroups.at(Inode("a")).values, Weight(250));
}

TEST_F(CgroupActuatorTest, OutOfIdleTheDefaultWeightIsThereAlready) {
  Make("a");
  wanted_["a"] = kIdle;
  Apply();
  fs_.TakeWrites();
  wanted_["a"] = CpuValues();
  Apply();
  EXPECT_THAT(fs_.TakeWrites(), ElementsAre(FakeWrite{"/v2/a/cpu.idle", "0"}));
}

TEST_F(CgroupActuatorTest, WithoutIdleAHeldGroupGetsTheLeastWeight) {
  fs_.WithoutFile("cpu.idle");
  Make("a");
  wanted_["a"] = kIdle;

  const ApplyReport report = Apply();

  EXPECT_THAT(fs_.TakeWrites(),
              ElementsAre(FakeWrite{"/v2/a/cpu.weight", "1"}));
  EXPECT_EQ(report.cgroups.at(Inode("a")).problem, std::nullopt);
  EXPECT_EQ(report.cgroups.at(Inode("a")).values, Weight(1));
}

TEST_F(CgroupActuatorTest, ValuesFromBeforeAreTakenOver) {
  ASSERT_TRUE(fs_.MakeDirectory("/v2/a").ok());
  ASSERT_TRUE(fs_.Write("/v2/a/cpu.idle", "1").ok());
  fs_.TakeWrites();
  Make("a");
  wanted_["a"] = kIdle;
  Apply();
  EXPECT_THAT(fs_.TakeWrites(), IsEmpty());
  wanted_["a"] = Weight(7);
  Apply();
  EXPECT_EQ(Get("a/cpu.weight"), "7\n");
}

TEST_F(CgroupActuatorTest, DecisionsForSampledUsersAreLetPass) {
  core::Decision decision;
  core::UserDecision user;
  user.cgroups = {{.inode = uint64_t{1} << 63 | 1001, .wanted = kIdle}};
  decision.users.push_back(user);

  const ApplyReport report = actuator_.Apply(decision);

  EXPECT_TRUE(report.cgroups.empty());
  EXPECT_EQ(report.attempted_writes, 0);
  EXPECT_THAT(fs_.TakeWrites(), IsEmpty());
}

TEST_F(CgroupActuatorTest, AFailedWriteIsShownCountedAndTriedAgain) {
  Make("a");
  wanted_["a"] = Weight(250);
  fs_.FailNext("cpu.weight", FsOp::kWrite,
               absl::PermissionDeniedError("write '250' to it: no"));

  const ApplyReport failed = Apply();

  EXPECT_EQ(failed.attempted_writes, 1);
  EXPECT_EQ(failed.failed_writes, 1);
  EXPECT_EQ(failed.writes.at("cpu.weight").failed, 1);
  EXPECT_EQ(failed.writes.at("cpu.weight").done, 0);
  EXPECT_EQ(failed.cgroups.at(Inode("a")).problem, NotEnforced::kPermission);
  EXPECT_EQ(failed.cgroups.at(Inode("a")).problem_text,
            "write '250' to it: no");
  EXPECT_EQ(failed.cgroups.at(Inode("a")).values, CpuValues());

  const ApplyReport again = Apply();
  EXPECT_EQ(again.failed_writes, 0);
  EXPECT_EQ(again.writes.at("cpu.weight").done, 1);
  EXPECT_EQ(again.cgroups.at(Inode("a")).problem, std::nullopt);
  EXPECT_EQ(again.cgroups.at(Inode("a")).values, Weight(250));
}

struct ErrorCase {
  const char* name;
  absl::Status error;
  NotEnforced problem;
};
class CgroupActuatorErrorTest
    : public CgroupActuatorTest,
      public ::testing::WithParamInterface<ErrorCase> {};

TEST_P(CgroupActuatorErrorTest, SaysWhyADecisionDoesNotHold) {
  Make("a");
  wanted_["a"] = kIdle;
  fs_.FailNext("cpu.idle", FsOp::kWrite, GetParam().error);
  const ApplyReport report = Apply();
  EXPECT_EQ(report.cgroups.at(Inode("a")).problem, GetParam().problem);
}

INSTANTIATE_TEST_SUITE_P(
    Classes, CgroupActuatorErrorTest,
    ::testing::Values(ErrorCase{"Permission", absl::PermissionDeniedError("x"),
                                NotEnforced::kPermission},
                      ErrorCase{"ReadOnly", absl::FailedPreconditionError("x"),
                                NotEnforced::kReadOnly},
                      ErrorCase{"Refused", absl::InvalidArgumentError("x"),
                                NotEnforced::kUnsupported},
                      ErrorCase{"NoController", absl::UnimplementedError("x"),
                                NotEnforced::kNoController},
                      ErrorCase{"Other", absl::InternalError("x"),
                                NotEnforced::kUnsupported}),
    [](const auto& c) { return std::string(c.param.name); });

TEST_F(CgroupActuatorTest, AControllerThatIsOffIsSaidUntilItIsOnAgain) {
  Make("a");
  wanted_["a"] = Weight(250);
  ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "-cpu").ok());
  const ApplyReport off = Apply();
  EXPECT_EQ(off.cgroups.at(Inode("a")).problem, NotEnforced::kNoController);
  EXPECT_EQ(off.cgroups.at(Inode("a")).values, std::nullopt);
  EXPECT_THAT(off.cgroups.at(Inode("a")).problem_text,
              HasSubstr("cpu controller is off"));

  ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "+cpu").ok());
  const ApplyReport on = Apply();
  EXPECT_EQ(on.cgroups.at(Inode("a")).problem, std::nullopt);
  EXPECT_EQ(Get("a/cpu.weight"), "250\n");
}

TEST_F(CgroupActuatorTest, AGroupThatIsGoneIsDroppedInSilence) {
  Make("a");
  wanted_["a"] = Weight(250);
  Apply();
  const uint64_t inode = Inode("a");
  core::Decision decision;
  decision.users.resize(1);
  decision.users[0].cgroups = {{.inode = inode, .wanted = Weight(300)}};
  ASSERT_TRUE(fs_.RemoveDirectory("/v2/a").ok());

  const ApplyReport report = actuator_.Apply(decision);

  EXPECT_TRUE(report.cgroups.empty());
  EXPECT_EQ(report.attempted_writes, 0);
  EXPECT_EQ(report.failed_writes, 0);
  EXPECT_EQ(table_.Find(inode), nullptr);
}

TEST_F(CgroupActuatorTest, AGroupMadeAnewStartsAnew) {
  Make("a");
  wanted_["a"] = Weight(250);
  Apply();
  ASSERT_TRUE(fs_.RemoveDirectory("/v2/a").ok());
  Make("a");
  wanted_["a"] = Weight(250);
  fs_.TakeWrites();
  const ApplyReport report = Apply();
  EXPECT_THAT(fs_.TakeWrites(),
              ElementsAre(FakeWrite{"/v2/a/cpu.weight", "250"}));
  EXPECT_EQ(report.cgroups.size(), 1u);
  EXPECT_THAT(report.drifts, IsEmpty());
}

TEST_F(CgroupActuatorTest, ReleaseGivesBackEveryValue) {
  for (const char* name : {"a", "b", "c"}) Make(name);
  wanted_["a"] = Weight(250);
  wanted_["b"] = kIdle;
  Apply();
  fs_.TakeWrites();

  const ApplyReport report = actuator_.Release();

  EXPECT_THAT(fs_.TakeWrites(),
              ElementsAre(FakeWrite{"/v2/a/cpu.weight", "100"},
                          FakeWrite{"/v2/b/cpu.idle", "0"}));
  EXPECT_EQ(report.attempted_writes, 2);
  EXPECT_EQ(report.cgroups.at(Inode("b")).values, CpuValues());

  actuator_.Release();
  EXPECT_THAT(fs_.TakeWrites(), IsEmpty());
}

TEST_F(CgroupActuatorTest, ReleaseAlsoGivesBackWhatADecisionNoLongerNames) {
  Make("a");
  wanted_["a"] = kIdle;
  Apply();
  wanted_.clear();
  Apply();
  EXPECT_EQ(Get("a/cpu.idle"), "1\n");
  actuator_.Release();
  EXPECT_EQ(Get("a/cpu.idle"), "0\n");
}

TEST_F(CgroupActuatorTest, ReleaseGivesBackValuesTakenOverFromBefore) {
  ASSERT_TRUE(fs_.MakeDirectory("/v2/a").ok());
  ASSERT_TRUE(fs_.Write("/v2/a/cpu.weight", "640").ok());
  Make("a");
  wanted_["a"] = Weight(640);
  Apply();
  actuator_.Release();
  EXPECT_EQ(Get("a/cpu.weight"), "100\n");
}

TEST_F(CgroupActuatorTest, AReleaseThatFailsIsTriedAgainByTheNext) {
  Make("a");
  wanted_["a"] = kIdle;
  Apply();
  fs_.FailNext("cpu.idle", FsOp::kWrite, absl::FailedPreconditionError("ro"));
  const ApplyReport report = actuator_.Release();
  EXPECT_EQ(report.failed_writes, 1);
  EXPECT_EQ(report.cgroups.at(Inode("a")).problem, NotEnforced::kReadOnly);

  EXPECT_EQ(actuator_.Release().cgroups.at(Inode("a")).problem, std::nullopt);
  EXPECT_EQ(Get("a/cpu.idle"), "0\n");
}

TEST_F(CgroupActuatorTest, AfterAReleaseADecisionIsWrittenAgain) {
  Make("a");
  wanted_["a"] = Weight(250);
  Apply();
  actuator_.Release();
  const ApplyReport report = Apply();
  EXPECT_EQ(Get("a/cpu.weight"), "250\n");
  EXPECT_THAT(report.drifts, IsEmpty());
}

TEST_F(CgroupActuatorTest, OnV1AWeightIsShares) {
  testing::FakeCgroupFs fs;
  fs.MountLegacy("/v1", {"cpu", "cpuacct"});
  ASSERT_TRUE(fs.MakeDirectory("/v1/a").ok());
  CgroupTable table(fs, {.backend = Backend::kLegacy,
                         .cpu = "/v1",
                         .cpuacct = "/v1",
                         .unified = ""});
  CgroupActuator actuator({.table = table});
  core::Decision decision;
  decision.users.resize(1);
  decision.users[0].cgroups = {
      {.inode = table.Read("/a")->inode, .wanted = Weight(333)}};

  const ApplyReport report = actuator.Apply(decision);

  EXPECT_THAT(fs.TakeWrites(),
              ElementsAre(FakeWrite{"/v1/a/cpu.shares", "3410"}));
  EXPECT_EQ(report.writes.at("cpu.shares").done, 1);
  actuator.Apply(decision);
  EXPECT_THAT(fs.TakeWrites(), IsEmpty());
}

}  // namespace
}  // namespace fairsched::kernel
