// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "agent/kernel/cgroup_actuator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/kernel/cgroup_actuator_fixture.h"

namespace fairsched::kernel {
namespace {

using runtime::ApplyReport;
using runtime::NotEnforced;
using ::testing::ElementsAre;
using testing::FakeWrite;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

int64_t Drifts(const ApplyReport& report) {
  int64_t drifts = 0;
  for (const auto& [cause, count] : report.drifts) drifts += count;
  return drifts;
}

class CgroupActuatorDriftTest : public CgroupActuatorTest {};

TEST_F(CgroupActuatorDriftTest, AValueThatAnotherWriterChangedIsPutBack) {
  Make("a");
  wanted_["a"] = Weight(250);
  Apply();
  fs_.TakeWrites();
  Meddle("a/cpu.weight", "100");

  const ApplyReport report = Apply();

  EXPECT_EQ(Drifts(report), 1);
  EXPECT_THAT(fs_.TakeWrites(),
              ElementsAre(FakeWrite{"/v2/a/cpu.weight", "250"}));
  EXPECT_EQ(report.cgroups.at(Inode("a")).problem, std::nullopt);
  EXPECT_EQ(Drifts(Apply()), 1);
}

TEST_F(CgroupActuatorDriftTest, AGroupThatAnotherWriterMadeIdleIsPutBack) {
  Make("a");
  wanted_["a"] = Weight(250);
  Apply();
  fs_.TakeWrites();
  Meddle("a/cpu.idle", "1");
  Apply();
  EXPECT_EQ(Get("a/cpu.idle"), "0\n");
  EXPECT_EQ(Get("a/cpu.weight"), "250\n");
}

TEST_F(CgroupActuatorDriftTest, ADriftToWhatIsWantedIsLeft) {
  Make("a");
  Apply();
  Meddle("a/cpu.weight", "250");
  wanted_["a"] = Weight(250);
  const ApplyReport report = Apply();
  EXPECT_EQ(Drifts(report), 1);
  EXPECT_THAT(fs_.TakeWrites(), IsEmpty());
  EXPECT_EQ(report.cgroups.at(Inode("a")).problem, std::nullopt);
}

TEST_F(CgroupActuatorDriftTest, TheSweepSeesEveryGroupInTenSecondsAndNoSooner) {
  for (int i = 0; i < 200; ++i) Make("g" + std::to_string(i));
  Apply();
  const int64_t before = fs_.reads();
  Apply();
  EXPECT_EQ(fs_.reads() - before, 2 * 4);  // all four files of two

  for (const auto& [name, values] : wanted_) Meddle(name + "/cpu.weight", "7");
  for (int i = 0; i < 50; ++i) Apply();
  EXPECT_LT(Drifts(Apply()), 110);
  for (int i = 0; i < 50; ++i) Apply();
  EXPECT_EQ(Drifts(Apply()), 200);
  for (const auto& [name, values] : wanted_)
    EXPECT_EQ(Get(name + "/cpu.weight"), "100\n");
}

TEST_F(CgroupActuatorDriftTest, ASlowTickSweepsAsMuchOfThemASecond) {
  for (int i = 0; i < 200; ++i) Make("g" + std::to_string(i));
  Apply();
  const int64_t before = fs_.reads();
  Apply(absl::Seconds(1));
  EXPECT_EQ(fs_.reads() - before, 20 * 4);
}

TEST_F(CgroupActuatorDriftTest, AWriterThatNeverStopsIsNamedAndFoughtSlowly) {
  Make("a");
  wanted_["a"] = Weight(250);
  Apply();
  fs_.TakeWrites();
  ApplyReport report;
  int writes = 0;
  for (int i = 0; i < 100; ++i) {
    Meddle("a/cpu.weight", "100");
    report = Apply();
    writes += static_cast<int>(fs_.TakeWrites().size());
  }
  // Six at once, and one every five of the ten seconds.
  EXPECT_EQ(writes, 7);
  EXPECT_EQ(report.cgroups.at(Inode("a")).problem, NotEnforced::kOtherWriter);
  EXPECT_THAT(report.cgroups.at(Inode("a")).problem_text,
              HasSubstr("/a is to have weight 250 and has weight 100"));

  // It stops: the value is put back, and the problem ends with the minute.
  for (int i = 0; i < 51; ++i) report = Apply();
  EXPECT_EQ(Get("a/cpu.weight"), "250\n");
  EXPECT_EQ(report.cgroups.at(Inode("a")).problem, NotEnforced::kOtherWriter);
  for (int i = 0; i < 600; ++i) report = Apply();
  EXPECT_EQ(report.cgroups.at(Inode("a")).problem, std::nullopt);
}

TEST_F(CgroupActuatorDriftTest, ANewDecisionIsWrittenAtOnceEvenInADispute) {
  Make("a");
  wanted_["a"] = Weight(250);
  Apply();
  fs_.TakeWrites();
  for (int i = 0; i < 6; ++i) {
    Meddle("a/cpu.weight", "100");
    Apply();
    fs_.TakeWrites();
  }
  wanted_["a"] = Weight(300);
  Apply();
  EXPECT_EQ(Get("a/cpu.weight"), "300\n");
}

}  // namespace
}  // namespace fairsched::kernel
