// SPDX-License-Identifier: Apache-2.0
// OwnTree on cgroup v2: the cpu controller is to be turned on, and a cgroup
// whose children have it takes no processes.
#include <optional>
#include <string>

#include "agent/kernel/own_tree.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_own_node.h"

namespace fairsched::kernel {
namespace {

using testing::FakeOwnNode;
using testing::FsOp;
using ::testing::HasSubstr;

class OwnTreeUnifiedTest : public ::testing::Test {
 protected:
  std::string SubtreeControl(const std::string& path) {
    return *node_.cgroups.Read("/cg" + path + "/cgroup.subtree_control");
  }
  void TurnCpuOff(const std::string& path) {
    ASSERT_TRUE(
        node_.cgroups.Write("/cg" + path + "/cgroup.subtree_control", "-cpu")
            .ok());
  }
  absl::Status Open(const std::string& parent, int64_t agent_pid = 0) {
    tree_.emplace(deps_, node_.journal, node_.Layout(parent));
    return tree_->Open(agent_pid);
  }

  FakeOwnNode node_{Backend::kUnified};
  TreeDeps deps_ = node_.Deps();
  std::optional<OwnTree> tree_;
};

TEST_F(OwnTreeUnifiedTest, TurnsCpuOnDownToTheGroups) {
  node_.proc.Spawn({.pid = 10, .ruid = 1001});

  ASSERT_TRUE(Open("", FakeOwnNode::kAgentPid).ok());
  ASSERT_EQ(tree_->Place({.pids_by_uid = {{1001, {10}}}, .alive = {10}}).moved,
            1);

  EXPECT_EQ(SubtreeControl(""), "cpu\n");
  EXPECT_EQ(SubtreeControl("/fairsched/users"), "cpu\n");
  EXPECT_EQ(*node_.cgroups.Read("/cg/fairsched/agent/cpu.weight"), "10000\n");
  EXPECT_EQ(*node_.cgroups.Read("/cg/fairsched/agent/cpu.max"),
            "100000000 100000\n");
  EXPECT_EQ(*node_.cgroups.Read("/cg/fairsched/users/uid-1001/cpu.weight"),
            "100\n");
  EXPECT_EQ(node_.Where(10), "/fairsched/users/uid-1001");
}

TEST_F(OwnTreeUnifiedTest, GivesBackWhatItTurnedOn) {
  ASSERT_TRUE(Open("", FakeOwnNode::kAgentPid).ok());

  EXPECT_TRUE(tree_->Dissolve().ToStatus().ok());

  EXPECT_EQ(SubtreeControl(""), "");
  EXPECT_EQ(node_.Where(FakeOwnNode::kAgentPid), "/");
  EXPECT_FALSE(node_.HasCgroup("/fairsched"));
}

TEST_F(OwnTreeUnifiedTest, LeavesCpuOnWhereOthersUseIt) {
  ASSERT_TRUE(Open("").ok());
  node_.MakeCgroup("/containers");

  EXPECT_TRUE(tree_->Dissolve().ToStatus().ok());

  EXPECT_EQ(SubtreeControl(""), "cpu\n");
}

TEST_F(OwnTreeUnifiedTest, LeavesCpuOnWhereItWasOn) {
  ASSERT_TRUE(node_.cgroups.Write("/cg/cgroup.subtree_control", "+cpu").ok());
  ASSERT_TRUE(Open("").ok());

  EXPECT_TRUE(tree_->Dissolve().ToStatus().ok());

  EXPECT_EQ(SubtreeControl(""), "cpu\n");
}

TEST_F(OwnTreeUnifiedTest, TheDaemonMayComeFromTheParentAndGoesBackThere) {
  node_.MakeCgroup("/unit");
  ASSERT_TRUE(node_.cgroups.Write("/cg/cgroup.subtree_control", "+cpu").ok());
  for (const std::string& mount : node_.hierarchies.Mounts())
    node_.cgroups.AddProcess(FakeOwnNode::kAgentPid, mount + "/unit");

  ASSERT_TRUE(Open("/unit", FakeOwnNode::kAgentPid).ok());
  EXPECT_EQ(node_.Where(FakeOwnNode::kAgentPid), "/unit/fairsched/agent");
  EXPECT_TRUE(tree_->Dissolve().ToStatus().ok());

  EXPECT_EQ(node_.Where(FakeOwnNode::kAgentPid), "/unit");
  EXPECT_EQ(SubtreeControl("/unit"), "");
}

TEST_F(OwnTreeUnifiedTest, AnOriginThatTakesNoProcessesMeansTheOneAbove) {
  node_.MakeCgroup("/login");
  node_.proc.Spawn({.pid = 10, .ruid = 1001}, "/login");
  ASSERT_TRUE(Open("").ok());
  ASSERT_EQ(tree_->Place({.pids_by_uid = {{1001, {10}}}, .alive = {10}}).moved,
            1);
  ASSERT_TRUE(
      node_.cgroups.Write("/cg/login/cgroup.subtree_control", "+cpu").ok());

  EXPECT_TRUE(tree_->Dissolve().ToStatus().ok());

  EXPECT_EQ(node_.Where(10), "/");
}

TEST_F(OwnTreeUnifiedTest, NamesTheFirstCgroupWithoutCpu) {
  node_.MakeCgroup("/a");
  node_.MakeCgroup("/a/b");
  node_.MakeCgroup("/a/b/c");

  const absl::Status status = Open("/a/b/c");

  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_EQ(status.message(),
            "cgroup /a has no cpu controller: write '+cpu' to "
            "/cg/cgroup.subtree_control");
  EXPECT_FALSE(tree_->is_open());
  EXPECT_TRUE(tree_->Dissolve().ToStatus().ok());
  EXPECT_FALSE(node_.HasCgroup("/a/b/c/fairsched"));
}

TEST_F(OwnTreeUnifiedTest, SaysThatTheParentHoldsProcesses) {
  node_.MakeCgroup("/unit");
  ASSERT_TRUE(node_.cgroups.Write("/cg/cgroup.subtree_control", "+cpu").ok());
  node_.proc.Spawn({.pid = 10, .ruid = 0}, "/unit");
  node_.cgroups.FailNext("/unit/cgroup.subtree_control", FsOp::kWrite,
                         absl::UnavailableError("EBUSY"));

  const absl::Status status = Open("/unit");

  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("cgroup /unit holds processes"));
}

TEST_F(OwnTreeUnifiedTest, ATreeWithoutCpuSaysSo) {
  testing::FakeCgroupFs bare;
  bare.MountUnified("/cg", {"memory"});
  testing::FakeProc proc(bare, {{"/cg", "0:"}});
  const TreeDeps deps{.fs = proc, .clock = node_.clock, .pause = deps_.pause};
  OwnTree tree(deps, node_.journal, node_.Layout());

  EXPECT_THAT(std::string(tree.Open(0).message()),
              HasSubstr("the cpu controller is not in the cgroup tree at /cg"));
}

TEST_F(OwnTreeUnifiedTest, AControllerThatWasTurnedOffIsTurnedOnAgain) {
  ASSERT_TRUE(Open("").ok());
  for (const char* path : {"/fairsched/users", "/fairsched", ""})
    TurnCpuOff(path);

  EXPECT_TRUE(tree_->Place({}).first_error.ok());

  EXPECT_EQ(SubtreeControl("/fairsched/users"), "cpu\n");
  EXPECT_EQ(*node_.cgroups.Read("/cg/fairsched/agent/cpu.weight"), "10000\n");
}

TEST_F(OwnTreeUnifiedTest, WhoKeepsTurningItOffIsFoughtLessAndLess) {
  ASSERT_TRUE(Open("").ok());
  int regained = 0;
  for (int i = 0; i < 600; ++i) {
    TurnCpuOff("/fairsched/users");
    const absl::Status status = tree_->Place({}).first_error;
    if (status.ok()) {
      ++regained;
    } else {
      EXPECT_THAT(std::string(status.message()), HasSubstr("turned off"));
    }
    node_.clock.now += absl::Milliseconds(500);
  }
  // After 1, 2, 4, ... 60 s, and every minute of the five.
  EXPECT_EQ(regained, 10);
}

}  // namespace
}  // namespace fairsched::kernel
