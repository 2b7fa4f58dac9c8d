// SPDX-License-Identifier: Apache-2.0
#include "gmock/gmock.h"
#include "tests/unit/client/fairctl_fixture.h"

namespace fairsched::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using ModeCommandsTest = FairctlTest;

v1::NodeStatus StatusOf(v1::NodeStatus::Enforcement enforcement) {
  v1::NodeStatus status;
  status.set_enforcement(enforcement);
  return status;
}

TEST_F(ModeCommandsTest, EnforceChangesTheModeOnly) {
  daemon_.statuses = {StatusOf(v1::NodeStatus::ENFORCEMENT_ENFORCING)};

  EXPECT_EQ(Run({"enforce"}), ExitCode::kDone);
  EXPECT_EQ(daemon_.update_settings.settings().mode(), v1::MODE_ENFORCE);
  EXPECT_THAT(daemon_.update_settings.update_mask().paths(),
              ElementsAre("mode"));
  EXPECT_EQ(out(), "mode enforce: enforcing\n");
  EXPECT_THAT(err(), IsEmpty());
}

TEST_F(ModeCommandsTest, EnforceWaitsUntilTheStatusSaysSo) {
  daemon_.statuses = {StatusOf(v1::NodeStatus::ENFORCEMENT_OBSERVING),
                      StatusOf(v1::NodeStatus::ENFORCEMENT_ENFORCING)};

  EXPECT_EQ(Run({"enforce"}), ExitCode::kDone);
  EXPECT_EQ(daemon_.calls, 3);
}

TEST_F(ModeCommandsTest, WhatIsNotEnforcedInTimeHasAnExitCodeOfItsOwn) {
  daemon_.statuses = {StatusOf(v1::NodeStatus::ENFORCEMENT_RELEASED)};
  daemon_.statuses[0].set_last_error("write cpu.weight: EROFS");

  EXPECT_EQ(Run({"enforce", "--wait", "0"}), ExitCode::kNotEnforced);
  EXPECT_THAT(err(), HasSubstr("not in effect: write cpu.weight: EROFS"));
}

TEST_F(ModeCommandsTest, AUserThatIsNotEnforcedIsNotEnforcement) {
  daemon_.statuses = {StatusOf(v1::NodeStatus::ENFORCEMENT_ENFORCING)};
  daemon_.statuses[0].set_not_enforced_user_count(2);

  EXPECT_EQ(Run({"enforce", "--wait", "1ms"}), ExitCode::kNotEnforced);
  EXPECT_EQ(daemon_.calls, 3) << "the settings, and the status before and "
                                 "after the wait";
  EXPECT_THAT(err(), HasSubstr("2 users are not enforced"));
}

TEST_F(ModeCommandsTest, ADaemonThatIsHeldSaysWhy) {
  daemon_.statuses = {StatusOf(v1::NodeStatus::ENFORCEMENT_OBSERVING)};
  daemon_.statuses[0].set_held_because("/run/fairsched.disable is there");

  EXPECT_EQ(Run({"enforce", "--wait", "0"}), ExitCode::kNotEnforced);
  EXPECT_THAT(err(), HasSubstr("not in effect: /run/fairsched.disable is"));
  EXPECT_EQ(Run({"status"}), ExitCode::kDone);
  EXPECT_THAT(out(), HasSubstr("held       /run/fairsched.disable is there\n"));
}

TEST_F(ModeCommandsTest, AnInterruptEndsTheWait) {
  daemon_.statuses = {StatusOf(v1::NodeStatus::ENFORCEMENT_OBSERVING)};
  Interrupt();

  EXPECT_EQ(Run({"enforce", "--wait", "1h"}), ExitCode::kNotEnforced);
}

TEST_F(ModeCommandsTest, ObserveIsDoneWhenTheDaemonObserves) {
  daemon_.statuses = {StatusOf(v1::NodeStatus::ENFORCEMENT_OBSERVING)};

  EXPECT_EQ(Run({"observe"}), ExitCode::kDone);
  EXPECT_EQ(daemon_.update_settings.settings().mode(), v1::MODE_OBSERVE);
}

TEST_F(ModeCommandsTest, AModeThatIsRefusedIsNotWaitedFor) {
  daemon_.error = grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, "no");

  EXPECT_EQ(Run({"enforce"}), ExitCode::kFailed);
  EXPECT_EQ(daemon_.calls, 1);
}

TEST_F(ModeCommandsTest, ReleaseAllSaysHowMuchItGaveBack) {
  EXPECT_EQ(Run({"release-all"}), ExitCode::kDone);
  EXPECT_EQ(out(), "released 2 cgroups; the mode is observe\n");
}

TEST_F(ModeCommandsTest, StatusShowsWhatIsWrong) {
  daemon_.statuses = {StatusOf(v1::NodeStatus::ENFORCEMENT_RELEASED)};
  daemon_.statuses[0].set_version("0.1.0");
  daemon_.statuses[0].mutable_sample_time()->set_seconds(3725);
  daemon_.statuses[0].mutable_start_time()->set_seconds(5);
  daemon_.statuses[0].set_last_error("no cpu controller");

  EXPECT_EQ(Run({"status"}), ExitCode::kDone);
  EXPECT_THAT(out(), HasSubstr("fairschedd 0.1.0, up 1h2m\n"));
  EXPECT_THAT(out(), HasSubstr("state      released\n"));
  EXPECT_THAT(out(), HasSubstr("error      no cpu controller\n"));
}

}  // namespace
}  // namespace fairsched::client
