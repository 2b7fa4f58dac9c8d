// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/release.h"

#include <optional>
#include <string>

#include "agent/kernel/own_tree.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_own_node.h"

namespace fairsched::kernel {
namespace {

using testing::FakeOwnNode;
using ::testing::HasSubstr;

class ReleaseTest : public ::testing::Test {
 protected:
  ReleaseTest() {
    node_.MakeCgroup("/login");
    node_.proc.Spawn({.pid = 10, .ruid = 1001}, "/login");
  }
  // A daemon that was killed while it enforced.
  void Crash() {
    OwnTree tree(deps_, node_.journal, node_.Layout());
    ASSERT_TRUE(tree.Open(FakeOwnNode::kAgentPid).ok());
    ASSERT_EQ(tree.Place({.pids_by_uid = {{1001, {10}}}, .alive = {10}}).moved,
              1);
    node_.proc.Exit(FakeOwnNode::kAgentPid);
  }
  ReleaseReport Release(const std::string& parent = "") {
    return *ReleaseFromJournal(deps_, node_.journal, node_.Layout(parent));
  }

  FakeOwnNode node_{Backend::kLegacy};
  TreeDeps deps_ = node_.Deps();
};

TEST_F(ReleaseTest, WhereNothingIsNothingIsDone) {
  const ReleaseReport report = Release();

  EXPECT_FALSE(report.by_journal);
  EXPECT_TRUE(report.dissolved.ToStatus().ok());
  EXPECT_EQ(report.dissolved.processes_moved, 0);
  EXPECT_EQ(report.dissolved.cgroups_removed, 0);
}

TEST_F(ReleaseTest, ByTheJournalAllIsAsBeforeAndASecondTimeFindsNothing) {
  Crash();

  const ReleaseReport report = Release();

  EXPECT_TRUE(report.by_journal);
  EXPECT_EQ(report.dissolved.processes_moved, 1);
  EXPECT_EQ(report.dissolved.cgroups_removed, 4);
  EXPECT_EQ(node_.Where(10), "/login");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
  EXPECT_FALSE(node_.journal.text.has_value());
  EXPECT_EQ(Release().dissolved.cgroups_removed, 0);
}

TEST_F(ReleaseTest, TheJournalKnowsItsTreeWhateverIsConfiguredNow) {
  Crash();

  EXPECT_TRUE(Release("/other").by_journal);

  EXPECT_EQ(node_.Where(10), "/login");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
}

TEST_F(ReleaseTest, WithoutAJournalAllGoToTheParent) {
  Crash();
  node_.journal.text.reset();

  const ReleaseReport report = Release();

  EXPECT_FALSE(report.by_journal);
  EXPECT_EQ(report.dissolved.processes_moved, 1);
  EXPECT_EQ(node_.Where(10), "/");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
}

TEST_F(ReleaseTest, AJournalOfAnotherBootSaysNothingAndIsRemoved) {
  Crash();
  node_.cgroups.Put("/proc/sys/kernel/random/boot_id", "boot-2\n");

  EXPECT_FALSE(Release().by_journal);

  EXPECT_EQ(node_.Where(10), "/");
  EXPECT_FALSE(node_.journal.text.has_value());
}

TEST_F(ReleaseTest, AJournalThatCannotBeReadHoldsNobodyBackAndIsKept) {
  Crash();
  node_.journal.text = "garbage\n";

  const ReleaseReport report = Release();

  EXPECT_FALSE(report.by_journal);
  EXPECT_THAT(std::string(report.journal_problem.message()),
              HasSubstr("the-journal:1:"));
  EXPECT_EQ(node_.Where(10), "/");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
  EXPECT_EQ(node_.journal.text, "garbage\n");
}

TEST_F(ReleaseTest, WhatIsLeftKeepsItsJournalForAnotherTry) {
  Crash();
  node_.cgroups.FailNext("/cg/cpu/login/cgroup.procs", testing::FsOp::kWrite,
                         absl::PermissionDeniedError("EPERM"), 1000000);
  EXPECT_TRUE(absl::IsUnavailable(Release().dissolved.ToStatus()));
  EXPECT_TRUE(node_.journal.text.has_value());
}

TEST_F(ReleaseTest, WithoutABootIdNothingIsTried) {
  Crash();
  node_.cgroups.Remove("/proc/sys/kernel/random/boot_id");

  EXPECT_FALSE(ReleaseFromJournal(deps_, node_.journal, node_.Layout()).ok());

  EXPECT_EQ(node_.Where(10), "/fairsched/users/uid-1001");
}

TEST_F(ReleaseTest, ValuesOfOthersAreGivenBackAndTheJournalGoes) {
  const std::string file = node_.hierarchies.cpu + "/login/cpu.shares";
  JournalEntries entries{.boot_id = *ReadBootId(deps_.fs, deps_.proc_root),
                         .root = "/fairsched",
                         .mounts = node_.Layout().mount_paths()};
  entries.values["/login"] = {
      .inode = *deps_.fs.Inode(node_.hierarchies.cpu + "/login"),
      .texts = {{"cpu.shares", "777"}}};
  node_.journal.text = FormatJournal(entries);
  ASSERT_TRUE(deps_.fs.Write(file, "2").ok());
  node_.cgroups.FailNext("/login/cpu.shares", testing::FsOp::kWrite,
                         absl::PermissionDeniedError("no"));

  ReleaseReport report = Release();
  EXPECT_TRUE(absl::IsUnavailable(report.ToStatus()));
  EXPECT_TRUE(node_.journal.text.has_value());

  report = Release();
  EXPECT_TRUE(report.ToStatus().ok());
  EXPECT_EQ(report.restored.restored, 1);
  EXPECT_EQ(*deps_.fs.Read(file), "777\n");
  EXPECT_FALSE(node_.journal.text.has_value());
}

}  // namespace
}  // namespace fairsched::kernel
