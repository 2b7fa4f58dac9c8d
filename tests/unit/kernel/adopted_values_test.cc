// SPDX-License-Identifier: Apache-2.0
// CgroupActuator with Originals: values of cgroups that are not ours.
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/kernel/adopted_values_fixture.h"

namespace fairsched::kernel {
namespace {

using runtime::ApplyReport;
using runtime::NotEnforced;
using ::testing::ElementsAre;
using testing::FakeWrite;
using testing::FsOp;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST_F(AdoptedValuesTest, NothingIsWrittenBeforeTheOriginalsAreJournalled) {
  Adopt("a", {{"cpu.weight", "300"}});
  WantWeight("a", 7000);

  const ApplyReport first = Tick();
  EXPECT_THAT(fs_.TakeWrites(), IsEmpty());
  EXPECT_THAT(first.cgroups, IsEmpty());
  EXPECT_EQ(Journal().values.at(Path("a")).inode, Inode("a"));
  EXPECT_THAT(
      Journal().values.at(Path("a")).texts,
      ElementsAre(Pair("cpu.weight", "300"), Pair("cpu.idle", "0"),
                  Pair("cpu.max", "max 100000"), Pair("cpu.max.burst", "0")));

  Tick();
  EXPECT_THAT(fs_.TakeWrites(),
              ElementsAre(FakeWrite{File("a", "cpu.weight"), "7000"}));
}

TEST_F(AdoptedValuesTest, WithoutAJournalNothingIsWrittenAndItSaysWhy) {
  Adopt("a");
  WantWeight("a", 7000);
  journal_.FailWrites(absl::ResourceExhaustedError("the disk is full"));
  Tick();
  const ApplyReport report = Tick();
  EXPECT_THAT(fs_.TakeWrites(), IsEmpty());
  EXPECT_EQ(Of(report, "a").problem, NotEnforced::kUnsupported);
  EXPECT_THAT(Of(report, "a").problem_text, HasSubstr("the disk is full"));

  journal_.FailWrites(absl::OkStatus());
  for (int i = 0; i < 2; ++i) Tick();
  EXPECT_EQ(Of(Tick(), "a").problem, std::nullopt);
  EXPECT_EQ(Get("a", "cpu.weight"), "7000\n");
}

TEST_F(AdoptedValuesTest, ReleaseGivesBackEveryByteOfTheOriginals) {
  const std::map<std::string, std::string> kOwn = {{"cpu.weight", "37"},
                                                   {"cpu.max", "50000 40000"},
                                                   {"cpu.max.burst", "7000"}};
  Adopt("a", kOwn);
  Adopt("b", {{"cpu.idle", "1"}});
  for (const char* name : {"a", "b"}) WantCeiling(name, 20000);
  wanted_["a"].idle = true;
  for (int i = 0; i < 3; ++i) Tick();
  EXPECT_EQ(Get("a", "cpu.max"), "20000 100000\n");
  EXPECT_EQ(Get("a", "cpu.max.burst"), "1000\n");
  EXPECT_EQ(Get("a", "cpu.idle"), "1\n");

  const ApplyReport report = actuator_.Release();

  EXPECT_EQ(report.failed_writes, 0);
  for (const auto& [file, text] : kOwn) EXPECT_EQ(Get("a", file), text + "\n");
  EXPECT_EQ(Get("a", "cpu.idle"), "0\n");
  EXPECT_EQ(Get("b", "cpu.idle"), "1\n");
  EXPECT_EQ(Get("b", "cpu.max"), "max 100000\n");
  originals_.Stop();
  EXPECT_THAT(Journal().values, IsEmpty());
}

TEST_F(AdoptedValuesTest, AReleaseThatFailsKeepsTheJournalAndIsTriedAgain) {
  Adopt("a");
  WantWeight("a", 7000);
  for (int i = 0; i < 2; ++i) Tick();
  fs_.FailNext("cpu.weight", FsOp::kWrite, absl::PermissionDeniedError("no"));
  EXPECT_EQ(actuator_.Release().failed_writes, 1);
  originals_.Work();
  EXPECT_TRUE(Journal().values.contains(Path("a")));

  EXPECT_EQ(actuator_.Release().failed_writes, 0);
  EXPECT_EQ(Get("a", "cpu.weight"), "100\n");
  originals_.Work();
  EXPECT_FALSE(Journal().values.contains(Path("a")));
}

TEST_F(AdoptedValuesTest, WhatNoDecisionNamesAnyMoreGetsItsValuesBack) {
  Adopt("a");
  WantWeight("a", 7000);
  for (int i = 0; i < 2; ++i) Tick();
  wanted_.clear();
  Tick();
  EXPECT_EQ(Get("a", "cpu.weight"), "100\n");
  EXPECT_THAT(Journal().values, IsEmpty());
}

TEST_F(AdoptedValuesTest, AfterACrashTheJournalGivesBackEveryByte) {
  Adopt("a", {{"cpu.weight", "37"}, {"cpu.max", "50000 40000"}});
  wanted_["a"].idle = true;
  WantCeiling("a", 20000);
  for (int i = 0; i < 2; ++i) Tick();

  const RestoreReport report = Restore();

  EXPECT_EQ(report.restored, 1);
  EXPECT_EQ(Get("a", "cpu.weight"), "37\n");
  EXPECT_EQ(Get("a", "cpu.idle"), "0\n");
  EXPECT_EQ(Get("a", "cpu.max"), "50000 40000\n");
  EXPECT_EQ(Get("a", "cpu.max.burst"), "0\n");
  fs_.TakeWrites();
  Restore();
  EXPECT_THAT(fs_.TakeWrites(), IsEmpty());
}

TEST_F(AdoptedValuesTest, AfterACrashACgroupMadeAnewIsNotTouched) {
  Adopt("a");
  Adopt("b");
  wanted_["a"].idle = true;
  for (int i = 0; i < 2; ++i) Tick();
  for (const char* name : {"a", "b"})
    ASSERT_TRUE(fs_.RemoveDirectory("/v2" + Path(name)).ok());
  Make("user.slice/a");
  Meddle("a", "cpu.weight", "640");

  const RestoreReport report = Restore();

  EXPECT_EQ(report.gone, 2);
  EXPECT_EQ(report.restored, 0);
  EXPECT_THAT(report.failed, IsEmpty());
  EXPECT_EQ(Get("a", "cpu.weight"), "640\n");
  EXPECT_THAT(fs_.TakeWrites(), IsEmpty());
}

TEST_F(AdoptedValuesTest, AUserThatComesBackIsAnotherCgroup) {
  Adopt("a");
  WantWeight("a", 7000);
  for (int i = 0; i < 2; ++i) Tick();
  ASSERT_TRUE(fs_.RemoveDirectory("/v2" + Path("a")).ok());
  Make("user.slice/a");
  Meddle("a", "cpu.weight", "640");
  for (int i = 0; i < 3; ++i) Tick();

  EXPECT_EQ(Get("a", "cpu.weight"), "7000\n");
  EXPECT_EQ(Journal().values.at(Path("a")).inode, Inode("a"));
  actuator_.Release();
  EXPECT_EQ(Get("a", "cpu.weight"), "640\n");
}

TEST_F(AdoptedValuesTest, AQuotaBelowOurBurstIsGivenBack) {
  Adopt("a", {{"cpu.max", "10000 10000"}, {"cpu.max.burst", "500"}});
  WantCeiling("a", 40000);
  wanted_["a"].ceiling->burst = core::CpuTime::Usec(30000);
  for (int i = 0; i < 2; ++i) Tick();
  ASSERT_EQ(Get("a", "cpu.max.burst"), "30000\n");
  EXPECT_EQ(actuator_.Release().failed_writes, 0);
  EXPECT_EQ(Get("a", "cpu.max"), "10000 10000\n");
  EXPECT_EQ(Get("a", "cpu.max.burst"), "500\n");
}

TEST_F(AdoptedValuesTest, OnlyFilesOfTheCpuControllerAreWritten) {
  Adopt("a");
  wanted_["a"].idle = true;
  WantCeiling("a", 20000);
  for (int i = 0; i < 3; ++i) Tick();
  actuator_.Release();
  for (const FakeWrite& write : fs_.TakeWrites()) {
    EXPECT_THAT(write.path,
                ::testing::AnyOf(::testing::EndsWith("/cpu.weight"),
                                 ::testing::EndsWith("/cpu.idle"),
                                 ::testing::EndsWith("/cpu.max"),
                                 ::testing::EndsWith("/cpu.max.burst")));
  }
}

TEST_F(AdoptedValuesTest, ABusyKernelIsTriedAgainAndShownOnlyIfItStaysSo) {
  Adopt("a");
  for (int i = 0; i < 2; ++i) Tick();
  WantWeight("a", 7000);
  fs_.FailNext("cpu.weight", FsOp::kWrite, absl::UnavailableError("busy"), 6);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(Of(Tick(), "a").problem, std::nullopt) << i;
  EXPECT_EQ(Of(Tick(), "a").problem, NotEnforced::kUnsupported);
  EXPECT_EQ(Of(Tick(), "a").problem, std::nullopt);
  EXPECT_EQ(Get("a", "cpu.weight"), "7000\n");
}

// M1, M6: whatever fails for one cgroup, at whatever step of its ticks, no
// other notices, and it has recovered some ticks later.
TEST_F(AdoptedValuesTest, NoErrorAtAnyStepReachesAnotherCgroup) {
  Adopt("a");
  Adopt("b");
  for (int i = 0; i < 2; ++i) Tick();
  int32_t weight = 200;
  for (const FsOp op : {FsOp::kRead, FsOp::kWrite}) {
    for (const absl::Status& error :
         {absl::NotFoundError("ENODEV"), absl::PermissionDeniedError("EACCES"),
          absl::InternalError("EIO"), absl::UnavailableError("EINTR"),
          absl::FailedPreconditionError("EROFS"),
          absl::InvalidArgumentError("EINVAL")}) {
      for (int step = 0; step < 12; ++step) {
        fs_.Plan({.part = "/a/cpu.",
                  .op = op,
                  .error = error,
                  .after = step,
                  .times = 1});
        wanted_["a"].idle = step % 2 == 0;
        WantCeiling("a", 20000 + step);
        WantWeight("b", ++weight);
        core::Decision decision;
        now_ += absl::Milliseconds(100);
        decision.at = now_;
        decision.node.elapsed = absl::Milliseconds(100);
        for (const auto& [name, values] : wanted_) {
          const auto reading = table_.Read(Path(name));
          if (!reading.ok()) continue;
          core::UserDecision user;
          user.cgroups = {{.inode = reading->inode, .wanted = values}};
          decision.users.push_back(std::move(user));
        }
        const ApplyReport report = actuator_.Apply(decision);
        originals_.Work();
        EXPECT_EQ(Of(report, "b").problem, std::nullopt);
        EXPECT_EQ(Get("b", "cpu.weight"), absl::StrCat(weight, "\n"));
        fs_.ClearFaults();
        for (int i = 0; i < 3; ++i) Tick();
        EXPECT_EQ(Get("a", "cpu.max"), absl::StrCat(20000 + step, " 100000\n"))
            << error << " at step " << step;
        EXPECT_EQ(Get("a", "cpu.idle"), step % 2 == 0 ? "1\n" : "0\n")
            << error << " at step " << step;
      }
    }
  }
  actuator_.Release();
  for (const char* name : {"a", "b"}) {
    EXPECT_EQ(Get(name, "cpu.weight"), "100\n");
    EXPECT_EQ(Get(name, "cpu.idle"), "0\n");
    EXPECT_EQ(Get(name, "cpu.max"), "max 100000\n");
    EXPECT_EQ(Get(name, "cpu.max.burst"), "0\n");
  }
}

}  // namespace
}  // namespace fairsched::kernel
