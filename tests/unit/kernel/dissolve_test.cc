// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/dissolve.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "agent/kernel/own_tree.h"
#include "agent/kernel/way_out.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_own_node.h"

namespace fairsched::kernel {
namespace {

using testing::FakeOwnNode;
using testing::FsOp;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kAliceGroup[] = "/fairsched/users/uid-1001";

class DissolveTest : public ::testing::Test {
 protected:
  DissolveTest() {
    node_.MakeCgroup("/login");
    node_.MakeCgroup("/login/a");
    node_.MakeCgroup("/cron");
    node_.proc.Spawn({.pid = 10, .ruid = 1001, .start_ticks = 5}, "/login/a");
    node_.proc.Spawn({.pid = 11, .ruid = 1001, .start_ticks = 6}, "/cron");
    node_.proc.Spawn({.pid = 20, .ruid = 1002, .start_ticks = 7});
    Open(FakeOwnNode::kAgentPid);
    Place();
  }

  void Open(int64_t agent_pid) {
    tree_.emplace(deps_, node_.journal, node_.Layout());
    ASSERT_TRUE(tree_->Open(agent_pid).ok());
  }
  void Place() {
    Placing placing{.pids_by_uid = {{1001, {10, 11}}, {1002, {20}}}};
    for (int64_t pid = 1; pid < 1000; ++pid) {
      if (node_.proc.IsAlive(pid)) placing.alive.insert(pid);
    }
    ASSERT_TRUE(tree_->Place(placing).first_error.ok());
  }

  FakeOwnNode node_{Backend::kLegacy};
  TreeDeps deps_ = node_.Deps();
  std::optional<OwnTree> tree_;
};

TEST_F(DissolveTest, EachGoesToWhereItCameFromAndNothingIsLeft) {
  const DissolveReport report = tree_->Dissolve();

  EXPECT_TRUE(report.ToStatus().ok()) << report.ToStatus();
  EXPECT_EQ(report.processes_moved, 4);
  EXPECT_EQ(report.cgroups_removed, 5);
  EXPECT_EQ(node_.Where(10), "/login/a");
  EXPECT_EQ(node_.WhereAcct(10), "/login/a");
  EXPECT_EQ(node_.Where(11), "/cron");
  EXPECT_EQ(node_.Where(20), "/");
  EXPECT_EQ(node_.Where(FakeOwnNode::kAgentPid), "/");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
  EXPECT_FALSE(node_.journal.text.has_value());
  EXPECT_EQ(node_.clock.now, absl::Seconds(100)) << "it need not wait";
}

TEST_F(DissolveTest, ASecondTimeDoesNothing) {
  tree_->Dissolve();

  const DissolveReport report = tree_->Dissolve();

  EXPECT_TRUE(report.ToStatus().ok());
  EXPECT_EQ(report.processes_moved, 0);
  EXPECT_EQ(report.cgroups_removed, 0);
}

TEST_F(DissolveTest, AChildGoesWithItsNearestRecordedAncestor) {
  node_.proc.Fork(11, 12, 50);
  node_.proc.Fork(12, 13, 51);

  tree_->Dissolve();

  EXPECT_EQ(node_.Where(12), "/cron");
  EXPECT_EQ(node_.Where(13), "/cron");
}

TEST_F(DissolveTest, AnOrphanGoesWhereItsUidsFirstProcessCameFrom) {
  node_.proc.Fork(11, 12, 50);
  node_.proc.Exit(11);
  node_.proc.At(12).ppid = 1;

  tree_->Dissolve();

  EXPECT_EQ(node_.Where(12), "/login/a");
}

TEST_F(DissolveTest, AGivenAnewPidHasNotItsPredecessorsOrigin) {
  node_.proc.Fork(10, 12, 50);
  node_.proc.Exit(11);
  node_.proc.Fork(12, 11, 51);  // in the group, by another start time

  tree_->Dissolve();

  EXPECT_EQ(node_.Where(11), "/login/a");
}

TEST_F(DissolveTest, AnOriginThatIsGoneMeansItsNearestAncestor) {
  for (const std::string& mount : node_.hierarchies.Mounts())
    ASSERT_TRUE(node_.cgroups.RemoveDirectory(mount + "/login/a").ok());

  tree_->Dissolve();

  EXPECT_EQ(node_.Where(10), "/login");
  EXPECT_EQ(node_.WhereAcct(10), "/login");
}

TEST_F(DissolveTest, WhoeverComesInMeanwhileIsMovedToo) {
  int64_t next_pid = 600;
  node_.proc.OnWrite([&](absl::string_view path, absl::string_view data) {
    // What leaves has just left a child behind, ten times.
    if (data != "10" || !absl::StartsWith(path, "/cg/cpu/login") ||
        next_pid >= 610) {
      return;
    }
    node_.proc.Spawn({.pid = next_pid, .ruid = 1001}, kAliceGroup);
    ++next_pid;
  });

  const DissolveReport report = tree_->Dissolve();

  EXPECT_TRUE(report.ToStatus().ok()) << report.ToStatus();
  EXPECT_EQ(report.processes_moved, 5);
  EXPECT_EQ(node_.Where(600), "/login/a");
}

TEST_F(DissolveTest, AForkBombIsLeftAtNeutralValuesAfterTwoSeconds) {
  ASSERT_TRUE(node_.cgroups
                  .Write(absl::StrCat("/cg/cpu", kAliceGroup, "/cpu.idle"), "1")
                  .ok());
  int64_t next_pid = 600;
  node_.proc.OnWrite([&](absl::string_view path, absl::string_view) {
    if (!absl::StrContains(path, "/cg/cpu/login/a/cgroup.procs")) return;
    node_.proc.Spawn({.pid = next_pid, .ruid = 1001}, "/login/a");
    node_.cgroups.AddProcess(next_pid++, absl::StrCat("/cg/cpu", kAliceGroup));
  });

  const DissolveReport report = tree_->Dissolve();

  EXPECT_TRUE(absl::IsUnavailable(report.ToStatus()));
  EXPECT_THAT(std::string(report.ToStatus().message()),
              HasSubstr("/cg/cpu/fairsched/users/uid-1001"));
  EXPECT_EQ(node_.clock.now, absl::Seconds(102));
  EXPECT_EQ(
      *node_.cgroups.Read(absl::StrCat("/cg/cpu", kAliceGroup, "/cpu.idle")),
      "0\n");
  EXPECT_EQ(
      *node_.cgroups.Read(absl::StrCat("/cg/cpu", kAliceGroup, "/cpu.shares")),
      "1024\n");
  EXPECT_FALSE(node_.HasCgroup("/fairsched/users/uid-1002"));
  EXPECT_TRUE(node_.journal.text.has_value()) << "needed for another try";
}

TEST_F(DissolveTest, OneThatCannotBeMovedIsCountedOnce) {
  node_.cgroups.FailNext("/cg/cpu/cron/cgroup.procs", FsOp::kWrite,
                         absl::PermissionDeniedError("EPERM"), 1000000);

  const DissolveReport report = tree_->Dissolve();

  EXPECT_EQ(report.failed_moves, 1);
  EXPECT_THAT(report.left, SizeIs(3));  // the group and what is above it
  EXPECT_EQ(node_.Where(10), "/login/a");
  EXPECT_EQ(node_.Where(11), kAliceGroup);
}

TEST_F(DissolveTest, CgroupsThatOthersMadeInOursGoToo) {
  node_.MakeCgroup("/fairsched/users/uid-1001/nested");
  node_.proc.Spawn({.pid = 30, .ruid = 1001},
                   "/fairsched/users/uid-1001/nested");

  const DissolveReport report = tree_->Dissolve();

  EXPECT_TRUE(report.ToStatus().ok()) << report.ToStatus();
  EXPECT_EQ(node_.Where(30), "/login/a");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
}

TEST_F(DissolveTest, WhatCannotBeListedIsKnownFromTheJournal) {
  node_.cgroups.FailNext("/cg/cpu/fairsched/users", FsOp::kList,
                         absl::PermissionDeniedError("EACCES"), 1000000);

  const DissolveReport report = tree_->Dissolve();

  EXPECT_TRUE(report.ToStatus().ok()) << report.ToStatus();
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
}

TEST_F(DissolveTest, ASuccessorTakesOverWithTheOriginsOfBefore) {
  node_.proc.Fork(11, 12, 50);
  const JournalEntries before = *tree_->journal();

  Open(FakeOwnNode::kAgentPid);  // without a Dissolve(): as after a crash

  EXPECT_EQ(*tree_->journal(), before);
  EXPECT_EQ(node_.Where(10), kAliceGroup);
  EXPECT_THAT(tree_->Uids(), ::testing::ElementsAre(1001, 1002));
  tree_->Dissolve();
  EXPECT_EQ(node_.Where(10), "/login/a");
  EXPECT_EQ(node_.Where(12), "/cron");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
}

TEST_F(DissolveTest, ASuccessorRepairsATornJournal) {
  *node_.journal.text += "process 77 1";

  Open(FakeOwnNode::kAgentPid);
  node_.proc.Spawn({.pid = 13, .ruid = 1001}, "/cron");
  ASSERT_EQ(tree_->Place({.pids_by_uid = {{1001, {13}}}, .alive = {13}}).moved,
            1);

  EXPECT_TRUE(ParseJournal("j", *node_.journal.text)->processes.contains(13));
}

TEST_F(DissolveTest, AfterABootOnlyTheTreeIsTakenOver) {
  node_.cgroups.Put("/proc/sys/kernel/random/boot_id", "boot-2\n");

  Open(0);

  EXPECT_TRUE(tree_->journal()->processes.empty());
  tree_->Dissolve();
  EXPECT_EQ(node_.Where(10), "/");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
}

TEST_F(DissolveTest, AForeignJournalStopsASuccessorWithTheReason) {
  node_.journal.text = "something else\n";
  OwnTree tree(deps_, node_.journal, node_.Layout());

  const absl::Status status = tree.Open(0);

  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("the-journal:1:"));
  EXPECT_EQ(*node_.journal.text, "something else\n");
}

TEST_F(DissolveTest, AJournalOfAnotherTreeIsToBeReleasedFirst) {
  node_.MakeCgroup("/other");
  OwnTree tree(deps_, node_.journal, node_.Layout("/other"));

  EXPECT_THAT(std::string(tree.Open(0).message()),
              HasSubstr("is of another tree, /fairsched: release that first"));
}

TEST_F(DissolveTest, AWayOutFollowsParentsEvenInARing) {
  node_.proc.Spawn({.pid = 40, .ruid = 1001, .ppid = 41}, kAliceGroup);
  node_.proc.Spawn({.pid = 41, .ruid = 1001, .ppid = 40}, kAliceGroup);

  WayOut way_out(node_.proc, "/proc", *tree_->journal());

  EXPECT_EQ(way_out.Destination(40, 1001), (Origin{"/login/a", "/login/a"}));
  EXPECT_EQ(way_out.Destination(40, std::nullopt), (Origin{"/", "/"}));
}

}  // namespace
}  // namespace fairsched::kernel
