// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/own_tree.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_own_node.h"

namespace fairsched::kernel {
namespace {

using ::testing::ElementsAre;
using testing::FakeOwnNode;
using testing::FsOp;
using ::testing::HasSubstr;

constexpr char kAliceGroup[] = "/fairsched/users/uid-1001";
constexpr char kBobGroup[] = "/fairsched/users/uid-1002";

class OwnTreeTest : public ::testing::Test {
 protected:
  OwnTreeTest() {
    node_.MakeCgroup("/login");
    node_.proc.Spawn({.pid = 10, .ruid = 1001, .start_ticks = 5}, "/login");
    node_.proc.Spawn({.pid = 20, .ruid = 1002, .start_ticks = 6});
  }

  // Places the processes that the fake has of 1001 and 1002.
  PlaceReport Place(OwnTree& tree) {
    const ProcessScan scan = *ScanProcesses(node_.proc, "/proc");
    Placing placing{.alive = scan.pids};
    for (const Process& process : scan.processes) {
      if (process.ruid == 1001 || process.ruid == 1002) {
        placing.pids_by_uid[process.ruid].push_back(process.pid);
      } else {
        placing.others.insert(process.pid);
      }
    }
    return tree.Place(placing);
  }
  PlaceReport Place() { return Place(tree_); }
  JournalEntries Journalled() {
    return *ParseJournal("j", *node_.journal.text);
  }

  FakeOwnNode node_{Backend::kLegacy};
  TreeDeps deps_ = node_.Deps();
  OwnTree tree_{deps_, node_.journal, node_.Layout()};
};

TEST_F(OwnTreeTest, OpeningMakesTheTreeAndMovesOnlyTheAgent) {
  ASSERT_TRUE(tree_.Open(FakeOwnNode::kAgentPid).ok());

  EXPECT_EQ(node_.Where(FakeOwnNode::kAgentPid), "/fairsched/agent");
  EXPECT_EQ(node_.WhereAcct(FakeOwnNode::kAgentPid), "/fairsched/agent");
  EXPECT_EQ(*node_.cgroups.Read("/cg/cpu/fairsched/agent/cpu.shares"),
            "102400\n");
  EXPECT_EQ(*node_.cgroups.Read("/cg/cpu/fairsched/agent/cpu.cfs_quota_us"),
            "100000000\n");
  EXPECT_EQ(*node_.cgroups.Read("/cg/cpu/fairsched/users/cpu.shares"),
            "1024\n");
  EXPECT_EQ(node_.Where(10), "/login");
}

TEST_F(OwnTreeTest, PlacesEachProcessInTheGroupOfItsUidInEveryMount) {
  ASSERT_TRUE(tree_.Open(0).ok());

  const PlaceReport report = Place();

  EXPECT_TRUE(report.first_error.ok()) << report.first_error;
  EXPECT_EQ(report.moved, 2);
  EXPECT_EQ(report.placed, 2);
  EXPECT_EQ(node_.Where(10), kAliceGroup);
  EXPECT_EQ(node_.WhereAcct(10), kAliceGroup);
  EXPECT_EQ(node_.Where(20), kBobGroup);
  EXPECT_EQ(tree_.GroupOf(1001), kAliceGroup);
  EXPECT_EQ(tree_.GroupOf(1003), std::nullopt);
  EXPECT_THAT(tree_.Uids(), ElementsAre(1001, 1002));
}

TEST_F(OwnTreeTest, WhatIsPlacedIsLeftAlone) {
  ASSERT_TRUE(tree_.Open(0).ok());
  Place();
  node_.cgroups.TakeWrites();
  const std::string journal = *node_.journal.text;

  const PlaceReport report = Place();

  EXPECT_EQ(report.moved, 0);
  EXPECT_EQ(report.placed, 2);
  EXPECT_TRUE(node_.cgroups.TakeWrites().empty());
  EXPECT_EQ(*node_.journal.text, journal);
}

TEST_F(OwnTreeTest, TheOriginIsInTheJournalBeforeTheMove) {
  ASSERT_TRUE(tree_.Open(0).ok());
  bool checked = false;
  node_.proc.OnWrite([&](absl::string_view path, absl::string_view data) {
    if (data != "10" || path != "/cg/cpu/fairsched/users/uid-1001/cgroup.procs")
      return;
    checked = true;
    const JournalEntries entries = Journalled();
    ASSERT_TRUE(entries.processes.contains(10));
    EXPECT_EQ(entries.processes.at(10).start_ticks, 5);
    EXPECT_EQ(entries.processes.at(10).origin, (Origin{"/login", "/login"}));
    EXPECT_TRUE(
        entries.directories.contains("/cg/cpuacct/fairsched/users/uid-1001"));
  });

  Place();

  EXPECT_TRUE(checked);
}

TEST_F(OwnTreeTest, WithoutAJournalNothingIsMoved) {
  ASSERT_TRUE(tree_.Open(0).ok());
  node_.journal.FailWrites(absl::ResourceExhaustedError("full"));

  const PlaceReport report = Place();

  EXPECT_TRUE(absl::IsResourceExhausted(report.first_error));
  EXPECT_EQ(report.failed, 2);
  EXPECT_EQ(node_.Where(10), "/login");
  EXPECT_FALSE(node_.HasCgroup(kAliceGroup));

  node_.journal.FailWrites(absl::OkStatus());
  EXPECT_EQ(Place().moved, 2);
}

TEST_F(OwnTreeTest, AProcessThatChangesItsUidMoves) {
  ASSERT_TRUE(tree_.Open(0).ok());
  Place();

  node_.proc.At(10).ruid = 1002;
  const PlaceReport report = Place();

  EXPECT_EQ(report.moved, 1);
  EXPECT_EQ(node_.Where(10), kBobGroup);
  EXPECT_EQ(Journalled().processes.at(10).origin, (Origin{"/login", "/login"}));
}

TEST_F(OwnTreeTest, AProcessThatIsNobodysAnyMoreGoesBack) {
  ASSERT_TRUE(tree_.Open(0).ok());
  Place();

  node_.proc.At(10).ruid = 33;
  const PlaceReport report = Place();

  EXPECT_EQ(report.moved, 1);
  EXPECT_EQ(node_.Where(10), "/login");
  EXPECT_EQ(node_.WhereAcct(10), "/login");
}

TEST_F(OwnTreeTest, AChildIsBornInItsGroupAndNotJournalled) {
  ASSERT_TRUE(tree_.Open(0).ok());
  Place();
  node_.proc.Fork(10, 11, 50);

  const PlaceReport report = Place();

  EXPECT_EQ(report.moved, 0);
  EXPECT_EQ(report.placed, 3);
  EXPECT_FALSE(Journalled().processes.contains(11));
}

TEST_F(OwnTreeTest, AGroupIsRemovedWhenTwoScansFindItEmpty) {
  ASSERT_TRUE(tree_.Open(0).ok());
  Place();
  node_.proc.Exit(10);

  Place();
  EXPECT_TRUE(node_.HasCgroup(kAliceGroup));
  EXPECT_EQ(tree_.GroupOf(1001), kAliceGroup);
  Place();

  EXPECT_FALSE(node_.HasCgroup(kAliceGroup));
  EXPECT_EQ(tree_.GroupOf(1001), std::nullopt);
  EXPECT_TRUE(node_.HasCgroup(kBobGroup));
}

TEST_F(OwnTreeTest, AGroupThatFillsAgainMeanwhileStays) {
  ASSERT_TRUE(tree_.Open(0).ok());
  Place();
  node_.proc.Exit(10);
  Place();
  node_.proc.Spawn({.pid = 12, .ruid = 1001});

  Place();
  node_.proc.Exit(12);
  Place();

  EXPECT_TRUE(node_.HasCgroup(kAliceGroup));
}

TEST_F(OwnTreeTest, AGroupThatSomebodyRemovedIsMadeAnew) {
  ASSERT_TRUE(tree_.Open(0).ok());
  Place();
  for (const std::string& mount : node_.hierarchies.Mounts()) {
    node_.cgroups.AddProcess(10, mount);
    ASSERT_TRUE(node_.cgroups.RemoveDirectory(mount + kAliceGroup).ok());
  }

  const PlaceReport report = Place();

  EXPECT_TRUE(report.first_error.ok()) << report.first_error;
  EXPECT_EQ(node_.Where(10), kAliceGroup);
}

TEST_F(OwnTreeTest, ATreeThatSomebodyRemovedIsOpenNoMore) {
  ASSERT_TRUE(tree_.Open(0).ok());
  for (const std::string& mount : node_.hierarchies.Mounts()) {
    for (const char* const path :
         {"/fairsched/users", "/fairsched/agent", "/fairsched"}) {
      ASSERT_TRUE(node_.cgroups.RemoveDirectory(mount + path).ok());
    }
  }

  EXPECT_TRUE(absl::IsNotFound(Place().first_error));
  EXPECT_FALSE(tree_.is_open());

  ASSERT_TRUE(tree_.Open(0).ok());
  EXPECT_EQ(Place().moved, 2);
}

TEST_F(OwnTreeTest, OneProcessThatCannotBeMovedStopsNoOther) {
  ASSERT_TRUE(tree_.Open(0).ok());
  node_.cgroups.FailNext("uid-1001/cgroup.procs", FsOp::kWrite,
                         absl::InvalidArgumentError("EINVAL"));

  const PlaceReport report = Place();

  EXPECT_EQ(report.failed, 1);
  EXPECT_EQ(report.moved, 1);
  EXPECT_TRUE(absl::IsInvalidArgument(report.first_error));
  EXPECT_EQ(node_.Where(20), kBobGroup);
  EXPECT_EQ(Place().moved, 1);
}

TEST_F(OwnTreeTest, AProcessThatIsGoneIsNoFailure) {
  ASSERT_TRUE(tree_.Open(0).ok());

  const PlaceReport report =
      tree_.Place({.pids_by_uid = {{1001, {10, 999}}}, .alive = {10, 20, 999}});

  EXPECT_TRUE(report.first_error.ok()) << report.first_error;
  EXPECT_EQ(report.failed, 0);
  EXPECT_EQ(report.moved, 1);
}

TEST_F(OwnTreeTest, TheAgentIsNobodysToMove) {
  ASSERT_TRUE(tree_.Open(FakeOwnNode::kAgentPid).ok());

  tree_.Place({.pids_by_uid = {{1001, {10, FakeOwnNode::kAgentPid}}},
               .alive = {10, FakeOwnNode::kAgentPid}});

  EXPECT_EQ(node_.Where(FakeOwnNode::kAgentPid), "/fairsched/agent");
}

TEST_F(OwnTreeTest, AMoveThatWorkedInOneMountOnlyIsFinishedLater) {
  ASSERT_TRUE(tree_.Open(0).ok());
  node_.cgroups.FailNext("cpuacct/fairsched/users/uid-1001/cgroup.procs",
                         FsOp::kWrite, absl::PermissionDeniedError("EPERM"));
  EXPECT_EQ(Place().failed, 1);
  EXPECT_EQ(node_.Where(10), kAliceGroup);
  EXPECT_EQ(node_.WhereAcct(10), "/login");

  EXPECT_EQ(Place().moved, 1);

  EXPECT_EQ(node_.WhereAcct(10), kAliceGroup);
  EXPECT_EQ(Journalled().processes.at(10).origin, (Origin{"/login", "/login"}));
}

TEST_F(OwnTreeTest, AProcessThatCouldNotGoBackIsNotMoved) {
  ASSERT_TRUE(tree_.Open(0).ok());
  node_.proc.At(10).cgroup_text = "1:cpu:/../other\n2:cpuacct:/\n";

  const PlaceReport report = Place();

  EXPECT_EQ(report.failed, 1);
  EXPECT_THAT(
      std::string(report.first_error.message()),
      HasSubstr("move process 10: its cgroup in /cg/cpu can't be seen"));
  EXPECT_EQ(node_.Where(10), "/login");
}

TEST_F(OwnTreeTest, ParentsMustBeThere) {
  OwnTree tree(deps_, node_.journal, node_.Layout("/nowhere"));

  const absl::Status status = tree.Open(0);

  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("/cg/cpu/nowhere"));
  EXPECT_FALSE(tree.is_open());
}

TEST_F(OwnTreeTest, FeaturesAreWhatAGroupCanDo) {
  ASSERT_TRUE(tree_.Open(0).ok());

  EXPECT_THAT(tree_.Features(),
              ElementsAre("cpu.idle", "cpu.cfs_quota_us", "cpu.cfs_burst_us"));
}

TEST_F(OwnTreeTest, TenThousandUsersLeaveNothingBehind) {
  ASSERT_TRUE(tree_.Open(0).ok());
  size_t longest = 0;
  for (int64_t i = 0; i < 10000; ++i) {
    const int64_t uid = 2000 + i;
    const int64_t pid = 10000 + i;
    node_.proc.Spawn({.pid = pid, .ruid = uid});
    ASSERT_EQ(
        tree_.Place({.pids_by_uid = {{uid, {pid}}}, .alive = {pid}}).moved, 1);
    node_.proc.Exit(pid);
    tree_.Place({});
    tree_.Place({});
    longest = std::max(longest, node_.journal.text->size());
    if (i % 100 == 0) node_.cgroups.TakeWrites();
  }

  EXPECT_TRUE(tree_.Uids().empty());
  EXPECT_TRUE(tree_.journal()->processes.empty());
  EXPECT_TRUE(tree_.journal()->first_origins.empty());
  EXPECT_EQ(tree_.journal()->directories.size(), 6u);
  EXPECT_LT(longest, 100000u);
}

}  // namespace
}  // namespace fairsched::kernel
