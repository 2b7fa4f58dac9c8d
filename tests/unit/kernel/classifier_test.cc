// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/classifier.h"

#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_own_node.h"

namespace fairsched::kernel {
namespace {

using core::Mode;
using ::testing::ElementsAre;
using testing::FakeOwnNode;
using ::testing::HasSubstr;

class ClassifierTest : public ::testing::Test {
 protected:
  ClassifierTest() {
    node_.MakeCgroup("/login");
    node_.proc.Spawn({.pid = 10, .ruid = 1001, .threads = 3, .start_ticks = 5},
                     "/login");
    node_.proc.Spawn({.pid = 20, .ruid = 1002, .start_ticks = 6});
    node_.proc.Spawn({.pid = 30, .ruid = 33, .start_ticks = 7});
    node_.proc.SetUptime(1);
  }

  void Start(Mode mode) {
    classifier_.emplace(node_.Deps(), node_.journal, node_.Options(),
                        FakeOwnNode::Policy(mode));
  }
  void Round() {
    const absl::Status status = classifier_->Round();
    ASSERT_TRUE(status.ok()) << status;
  }
  // Of one uid, in what was published last.
  UidPopulation Of(int64_t uid) const {
    for (const UidPopulation& entry : classifier_->Latest()->uids) {
      if (entry.uid == uid) return entry;
    }
    return {.uid = -1};
  }
  std::vector<int64_t> Uids() const {
    std::vector<int64_t> uids;
    for (const UidPopulation& entry : classifier_->Latest()->uids)
      uids.push_back(entry.uid);
    return uids;
  }

  FakeOwnNode node_{Backend::kLegacy};
  std::optional<Classifier> classifier_;
};

TEST_F(ClassifierTest, BeforeTheFirstRoundThereIsAnEmptyReport) {
  Start(Mode::kEnforce);

  EXPECT_TRUE(Uids().empty());
  EXPECT_EQ(classifier_->Report()->backend, "legacy");
  EXPECT_EQ(classifier_->Report()->placement, "own");
  EXPECT_EQ(classifier_->Report()->root, "/fairsched");
  EXPECT_EQ(classifier_->Report()->scans, 0u);
}

TEST_F(ClassifierTest, ObservingMovesNothingAndMakesNoCgroup) {
  Start(Mode::kObserve);

  Round();

  EXPECT_TRUE(node_.cgroups.TakeWrites().empty());
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
  EXPECT_FALSE(node_.journal.text.has_value());
  EXPECT_FALSE(classifier_->Latest()->placing);
  EXPECT_FALSE(classifier_->Report()->placing);
  EXPECT_THAT(Uids(), ElementsAre(0, 1001, 1002));
  EXPECT_EQ(Of(1001).processes, 1);
  EXPECT_EQ(Of(1001).threads, 3);
  EXPECT_EQ(Of(1001).cgroup, "");
}

TEST_F(ClassifierTest, ObservingSamplesTheUsageOfAll) {
  Start(Mode::kObserve);
  Round();

  node_.proc.SetUptime(10);
  node_.proc.At(10).utime_ticks += 50;
  node_.proc.At(1).stime_ticks += 7;
  node_.proc.Spawn(
      {.pid = 11, .ruid = 1001, .start_ticks = 500, .utime_ticks = 3});
  Round();

  EXPECT_EQ(Of(1001).sampled_usage, core::CpuTime::Msec(530));
  EXPECT_EQ(Of(0).sampled_usage, core::CpuTime::Msec(70));
  EXPECT_EQ(Of(1002).sampled_usage, core::CpuTime());
}

TEST_F(ClassifierTest, EnforcingPlacesAndSaysWhere) {
  Start(Mode::kEnforce);

  Round();

  EXPECT_EQ(node_.Where(10), "/fairsched/users/uid-1001");
  EXPECT_EQ(node_.Where(30), "/");
  EXPECT_EQ(node_.Where(FakeOwnNode::kAgentPid), "/fairsched/agent");
  EXPECT_TRUE(classifier_->Latest()->placing);
  EXPECT_EQ(Of(1001).cgroup, "/fairsched/users/uid-1001");
  EXPECT_EQ(Of(0).cgroup, "");
  const auto report = classifier_->Report();
  EXPECT_TRUE(report->placing);
  EXPECT_EQ(report->cgroups, 2);
  EXPECT_EQ(report->processes, 2);
  EXPECT_EQ(report->moved, 2u);
  EXPECT_EQ(report->failed_moves, 0u);
  EXPECT_TRUE(report->last_error.ok());
  EXPECT_THAT(report->features, ::testing::Contains("cpu.idle"));
}

TEST_F(ClassifierTest, EnforcingSamplesOnlyTheExempt) {
  Start(Mode::kEnforce);
  Round();

  node_.proc.At(10).utime_ticks += 50;
  node_.proc.At(1).utime_ticks += 7;
  Round();

  EXPECT_EQ(Of(1001).sampled_usage, core::CpuTime());
  EXPECT_EQ(Of(0).sampled_usage, core::CpuTime::Msec(70));
}

TEST_F(ClassifierTest, SudoStaysInTheLoginsGroup) {
  node_.proc.Spawn({.pid = 40, .ruid = 0, .loginuid = 1001}, "/login");
  Start(Mode::kEnforce);

  Round();

  EXPECT_EQ(node_.Where(40), "/fairsched/users/uid-1001");
  EXPECT_EQ(Of(1001).processes, 2);
}

TEST_F(ClassifierTest, AnEmptyGroupIsShownUntilItIsRemoved) {
  Start(Mode::kEnforce);
  Round();
  node_.proc.Exit(10);

  Round();
  EXPECT_EQ(Of(1001).processes, 0);
  EXPECT_EQ(Of(1001).cgroup, "/fairsched/users/uid-1001");
  Round();

  EXPECT_EQ(Of(1001).uid, -1);
}

TEST_F(ClassifierTest, FromEnforceToObserveTheTreeIsDissolved) {
  Start(Mode::kEnforce);
  Round();

  classifier_->SetPolicy(FakeOwnNode::Policy(Mode::kObserve));
  Round();

  EXPECT_EQ(node_.Where(10), "/login");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
  EXPECT_FALSE(classifier_->Latest()->placing);
  EXPECT_EQ(classifier_->Report()->cgroups, 0);
  EXPECT_EQ(classifier_->Report()->moved, 5u);  // two in; with the agent, out
}

TEST_F(ClassifierTest, FromObserveToEnforceAndBackCountersGoOn) {
  Start(Mode::kObserve);
  Round();
  node_.proc.At(10).utime_ticks += 50;
  Round();
  classifier_->SetPolicy(FakeOwnNode::Policy(Mode::kEnforce));
  Round();
  EXPECT_EQ(Of(1001).sampled_usage, core::CpuTime::Msec(500));
  node_.proc.At(10).utime_ticks += 1000;
  Round();

  node_.proc.SetUptime(100);
  classifier_->SetPolicy(FakeOwnNode::Policy(Mode::kObserve));
  Round();
  EXPECT_EQ(Of(1001).sampled_usage, core::CpuTime::Msec(500));
  node_.proc.At(10).utime_ticks += 1;
  Round();

  EXPECT_EQ(Of(1001).sampled_usage, core::CpuTime::Msec(510));
}

TEST_F(ClassifierTest, ObservingReleasesWhatACrashLeft) {
  Start(Mode::kEnforce);
  Round();
  classifier_.reset();  // killed: without Stop()
  node_.proc.Exit(FakeOwnNode::kAgentPid);
  ASSERT_EQ(node_.Where(10), "/fairsched/users/uid-1001");

  Start(Mode::kObserve);
  Round();

  EXPECT_EQ(node_.Where(10), "/login");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
  EXPECT_FALSE(node_.journal.text.has_value());
}

TEST_F(ClassifierTest, EnforcingTakesOverWhatACrashLeft) {
  Start(Mode::kEnforce);
  Round();
  classifier_.reset();

  Start(Mode::kEnforce);
  Round();
  EXPECT_EQ(classifier_->Report()->moved, 0u);
  EXPECT_EQ(classifier_->Report()->processes, 2);
  EXPECT_TRUE(classifier_->Stop().ok());

  EXPECT_EQ(node_.Where(10), "/login");
}

TEST_F(ClassifierTest, StopDissolvesAndMayBeRepeated) {
  Start(Mode::kEnforce);
  Round();

  EXPECT_TRUE(classifier_->Stop().ok());
  EXPECT_TRUE(classifier_->Stop().ok());

  EXPECT_EQ(node_.Where(10), "/login");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
  EXPECT_FALSE(classifier_->Report()->placing);
  EXPECT_EQ(classifier_->Report()->processes, 0);
  EXPECT_FALSE(classifier_->Latest()->placing);
}

TEST_F(ClassifierTest, StopSaysWhatItHadToLeave) {
  Start(Mode::kEnforce);
  Round();
  node_.cgroups.FailNext("/cg/cpu/login/cgroup.procs", testing::FsOp::kWrite,
                         absl::PermissionDeniedError("EPERM"), 1000000);

  EXPECT_TRUE(absl::IsUnavailable(classifier_->Stop()));

  EXPECT_THAT(std::string(classifier_->Report()->last_error.message()),
              HasSubstr("uid-1001"));
}

TEST_F(ClassifierTest, WithoutACpuControllerItObservesAndSaysWhyNotMore) {
  classifier_.emplace(node_.Deps(), node_.journal, Classifier::Options{},
                      FakeOwnNode::Policy(Mode::kEnforce));

  EXPECT_TRUE(absl::IsFailedPrecondition(classifier_->Round()));

  EXPECT_EQ(classifier_->Report()->backend, "none");
  EXPECT_FALSE(classifier_->Report()->last_error.ok());
  EXPECT_EQ(Of(1001).processes, 1);
}

TEST_F(ClassifierTest, WhereTheTreeCannotBeMadeUsageIsSampled) {
  node_.cgroups.FailNext("/fairsched", testing::FsOp::kMakeDirectory,
                         absl::FailedPreconditionError("EROFS"), 1000000);
  Start(Mode::kEnforce);
  EXPECT_TRUE(absl::IsFailedPrecondition(classifier_->Round()));
  node_.proc.At(10).utime_ticks += 50;

  EXPECT_TRUE(absl::IsFailedPrecondition(classifier_->Round()));

  EXPECT_FALSE(classifier_->Latest()->placing);
  EXPECT_EQ(Of(1001).sampled_usage, core::CpuTime::Msec(500));
}

TEST_F(ClassifierTest, AnExpensiveScanIsMadeLessOften) {
  Start(Mode::kObserve);
  Round();
  EXPECT_EQ(classifier_->Report()->scan_interval, absl::Milliseconds(500));

  // A scan that takes 40 ms: time passes while it moves what it finds.
  classifier_->SetPolicy(FakeOwnNode::Policy(Mode::kEnforce));
  node_.proc.OnWrite([this](absl::string_view path, absl::string_view) {
    if (absl::StrContains(path, "uid-")) {
      node_.clock.now += absl::Milliseconds(10);
    }
  });
  Round();

  EXPECT_EQ(classifier_->Report()->scan_time, absl::Milliseconds(40));
  EXPECT_EQ(classifier_->Report()->scan_interval, absl::Seconds(2));
}

TEST_F(ClassifierTest, OnlyAPolicyThatChangesUidsMovesThem) {
  Start(Mode::kEnforce);
  Round();

  core::Settings settings;
  settings.mode = Mode::kEnforce;
  settings.exempt_uids = {0, 1001};
  classifier_->SetPolicy(std::make_shared<const core::Policy>(
      settings, std::vector<core::UserPolicy>{
                    {.id = "www", .selectors = core::UidSelectors({33})}}));
  Round();

  EXPECT_EQ(node_.Where(10), "/login");
  EXPECT_EQ(node_.Where(20), "/fairsched/users/uid-1002");
  EXPECT_EQ(node_.Where(30), "/fairsched/users/uid-33");
}

TEST_F(ClassifierTest, AChangeOfModeIsActedOnAtOnce) {
  Start(Mode::kEnforce);
  Round();
  std::binary_semaphore scanned(0);
  // The thread's first write is the first move out.
  node_.proc.OnWrite(
      [&scanned, once = false](absl::string_view, absl::string_view) mutable {
        if (!once) scanned.release();
        once = true;
      });

  classifier_->Start();
  classifier_->SetPolicy(FakeOwnNode::Policy(Mode::kObserve));
  scanned.acquire();
  EXPECT_TRUE(classifier_->Stop().ok());

  EXPECT_EQ(node_.Where(10), "/login");
}

}  // namespace
}  // namespace fairsched::kernel
