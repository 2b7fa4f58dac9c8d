// SPDX-License-Identifier: Apache-2.0
// CgroupActuator with Originals: what others write to their cgroups.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/kernel/adopted_values_fixture.h"

namespace fairsched::kernel {
namespace {

using runtime::ApplyReport;
using runtime::DriftCause;
using runtime::NotEnforced;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST_F(AdoptedValuesTest, AReloadIsUndoneWithinATickHoweverOften) {
  Adopt("a");
  Adopt("b");
  wanted_["a"].idle = true;
  WantWeight("b", 7000);
  WantCeiling("b", 20000);
  for (int i = 0; i < 2; ++i) Tick();
  ApplyReport report;
  for (int i = 0; i < 20; ++i) {
    for (const char* name : {"a", "b"}) Realize(name);
    report = Tick();
    EXPECT_EQ(Get("a", "cpu.idle"), "1\n");
    EXPECT_EQ(Get("b", "cpu.weight"), "7000\n");
    EXPECT_EQ(Get("b", "cpu.max"), "20000 100000\n");
  }
  EXPECT_THAT(report.drifts, ElementsAre(Pair(DriftCause::kReload, 40)));
  EXPECT_EQ(Of(report, "a").problem, std::nullopt);
}

TEST_F(AdoptedValuesTest, ASetPropertyIsTheOperatorsAndIsWhatIsGivenBack) {
  Adopt("a");
  WantWeight("a", 7000);
  for (int i = 0; i < 2; ++i) Tick();

  Realize("a", "30", "60000 100000");
  const ApplyReport report = Tick();

  EXPECT_THAT(report.drifts, IsEmpty());  // it may be a reload's begin
  EXPECT_EQ(Get("a", "cpu.weight"), "30\n");
  EXPECT_EQ(Get("a", "cpu.max"), "60000 100000\n");
  EXPECT_THAT(Of(report, "a").own_values,
              AllOf(HasSubstr("weight 30"), HasSubstr("60000")));
  WantWeight("a", 10);
  Tick();
  EXPECT_EQ(Get("a", "cpu.weight"), "10\n");
  actuator_.Release();
  EXPECT_EQ(Get("a", "cpu.weight"), "30\n");
  EXPECT_EQ(Get("a", "cpu.max"), "60000 100000\n");
}

TEST_F(AdoptedValuesTest, TheCauseIsCountedWhenItIsSure) {
  Adopt("a");
  Adopt("b");
  for (const char* name : {"a", "b"}) WantWeight(name, 7000);
  for (int i = 0; i < 2; ++i) Tick();
  // A reload that takes two ticks, and long after it one set-property.
  Realize("a");
  Tick();
  Realize("b");
  EXPECT_THAT(Tick().drifts, ElementsAre(Pair(DriftCause::kReload, 2)));
  for (int i = 0; i < 20; ++i) Tick();
  Realize("a");
  for (int i = 0; i < 10; ++i) {
    EXPECT_THAT(Tick().drifts, ElementsAre(Pair(DriftCause::kReload, 2)));
    EXPECT_EQ(Get("a", "cpu.weight"), "7000\n");
  }
  EXPECT_THAT(Tick().drifts, ElementsAre(Pair(DriftCause::kReload, 2),
                                         Pair(DriftCause::kSetProperty, 1)));
}

TEST_F(AdoptedValuesTest, AWeightThatSomebodyElseWritesIsPutBack) {
  Adopt("a");
  WantWeight("a", 7000);
  for (int i = 0; i < 2; ++i) Tick();
  Meddle("a", "cpu.weight", "5");
  const ApplyReport report = Tick();
  EXPECT_EQ(Get("a", "cpu.weight"), "7000\n");
  EXPECT_THAT(report.drifts, ElementsAre(Pair(DriftCause::kOtherWriter, 1)));
  actuator_.Release();
  EXPECT_EQ(Get("a", "cpu.weight"), "100\n");
}

TEST_F(AdoptedValuesTest, AWriterThatInsistsIsNamedAndFoughtSlowly) {
  Adopt("a");
  WantWeight("a", 7000);
  for (int i = 0; i < 2; ++i) Tick();
  fs_.TakeWrites();
  ApplyReport report;
  size_t writes = 0;
  for (int i = 0; i < 100; ++i) {
    Meddle("a", "cpu.weight", "5");
    report = Tick();
    writes += fs_.TakeWrites().size();
  }
  EXPECT_EQ(writes, 7u);  // six, and one every five of the ten seconds
  EXPECT_EQ(Of(report, "a").problem, NotEnforced::kOtherWriter);
}

TEST_F(AdoptedValuesTest, ACeilingIsNeverMadeLooserThanWhatAnyoneWrote) {
  Adopt("a");
  WantCeiling("a", 50000);
  for (int i = 0; i < 2; ++i) Tick();
  Meddle("a", "cpu.max", "20000 100000");
  Tick();
  EXPECT_EQ(Get("a", "cpu.max"), "20000 100000\n");
  Meddle("a", "cpu.max", "200000 100000");
  Tick();
  EXPECT_EQ(Get("a", "cpu.max"), "50000 100000\n");
  actuator_.Release();
  EXPECT_EQ(Get("a", "cpu.max"), "200000 100000\n");
  EXPECT_EQ(Get("a", "cpu.max.burst"), "0\n");
}

TEST_F(AdoptedValuesTest, TheFirstWritesOfItsMakerAreNoDrift) {
  Adopt("a");
  Tick();  // what is journalled are the kernel's defaults
  Meddle("a", "cpu.weight", "40");
  Meddle("a", "cpu.max", "50000 100000");
  WantWeight("a", 7000);
  ApplyReport report;
  for (int i = 0; i < 3; ++i) report = Tick();
  EXPECT_THAT(report.drifts, IsEmpty());
  EXPECT_EQ(Get("a", "cpu.weight"), "40\n");
  EXPECT_THAT(Journal().values.at(Path("a")).texts,
              AllOf(::testing::Contains(Pair("cpu.max", "50000 100000")),
                    ::testing::Contains(Pair("cpu.weight", "40"))));
}

TEST_F(AdoptedValuesTest, WhereNothingWasWrittenNothingDrifts) {
  Adopt("a");
  for (int i = 0; i < 3; ++i) Tick();
  Meddle("a", "cpu.weight", "40");
  EXPECT_THAT(Tick().drifts, IsEmpty());
  EXPECT_EQ(Get("a", "cpu.weight"), "40\n");
}

TEST_F(AdoptedValuesTest, ALostControllerIsSaidAndAllIsAppliedOnItsReturn) {
  Adopt("a", {{"cpu.weight", "50"}});
  WantWeight("a", 7);
  WantCeiling("a", 20000);
  for (int i = 0; i < 2; ++i) Tick();
  const std::string control = "/v2/user.slice/cgroup.subtree_control";
  ASSERT_TRUE(fs_.Write(control, "-cpu").ok());
  EXPECT_EQ(Of(Tick(), "a").problem, NotEnforced::kNoController);

  ASSERT_TRUE(fs_.Write(control, "+cpu").ok());
  EXPECT_EQ(Of(Tick(), "a").problem, std::nullopt);
  EXPECT_EQ(Get("a", "cpu.weight"), "7\n");
  EXPECT_EQ(Get("a", "cpu.max"), "20000 100000\n");
  actuator_.Release();
  EXPECT_EQ(Get("a", "cpu.weight"), "50\n");
}

}  // namespace
}  // namespace fairsched::kernel
