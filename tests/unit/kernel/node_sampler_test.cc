// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/node_sampler.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::kernel {
namespace {

using core::CpuTime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Hierarchies kUnified = {
    .backend = Backend::kUnified, .cpu = "/v2", .cpuacct = "", .unified = ""};

class FakePopulation final : public PopulationSource {
 public:
  std::shared_ptr<const Population> Latest() const override {
    return std::make_shared<const Population>(population);
  }
  Population population;
};

UidPopulation Uid(int64_t uid, int64_t sampled_usec, std::string cgroup = "") {
  return {.uid = uid,
          .processes = 2,
          .threads = 3,
          .sampled_usage = CpuTime::Usec(sampled_usec),
          .cgroup = std::move(cgroup)};
}

core::UserPolicy Defined(const core::UserId& id,
                         const std::vector<int64_t>& uids,
                         bool exempt = false) {
  return {.id = id,
          .selectors = core::UidSelectors(uids),
          .shares = 100,
          .exempt = exempt};
}

// A node of one CPU, with groups /a and /b of ours.
class NodeSamplerTest : public ::testing::Test {
 protected:
  NodeSamplerTest() {
    fs_.MountUnified("/v2", {"cpu"});
    fs_.Put("/proc/stat", "cpu 0 0 0 0 0 0 0 0\n");
    fs_.Put("/sys/devices/system/cpu/online", "0\n");
    EXPECT_TRUE(fs_.MakeDirectory("/v2/a").ok());
    EXPECT_TRUE(fs_.MakeDirectory("/v2/b").ok());
    node_ = std::make_unique<NodeCounters>(
        NodeCounters::Open(fs_, kUnified, NodePaths()).value());
    sampler_ = std::make_unique<NodeSampler>(
        NodeSampler::Deps{population_, table_, *node_});
  }
  core::Sample Take(absl::Duration now) {
    absl::StatusOr<core::Sample> sample = sampler_->Take(policy_, now);
    EXPECT_TRUE(sample.ok()) << sample.status();
    return sample.value_or(core::Sample());
  }
  std::vector<std::string> Ids(const core::Sample& sample) {
    std::vector<std::string> ids;
    for (const core::UserSample& user : sample.users) ids.push_back(user.id);
    return ids;
  }

  testing::FakeCgroupFs fs_;
  core::Policy policy_{core::Settings(),
                       {Defined("alice", {1001, 1002}),
                        Defined("backup", {1005}, /*exempt=*/true)}};
  FakePopulation population_;
  CgroupTable table_{fs_, kUnified};
  std::unique_ptr<NodeCounters> node_;
  std::unique_ptr<NodeSampler> sampler_;
};

TEST_F(NodeSamplerTest, AUserWithAGroupHasItsCountersAsOfNow) {
  population_.population = {
      .at = absl::Seconds(1), .placing = true, .uids = {Uid(1003, 999, "/a")}};
  fs_.SetUsage("/v2/a", 50);
  fs_.SetPressure("/v2/a", 6);
  fs_.SetUsage("/v2", 70);

  const core::Sample sample = Take(absl::Seconds(5));

  EXPECT_EQ(sample.at, absl::Seconds(5));
  EXPECT_EQ(sample.node.busy, CpuTime::Usec(70));
  ASSERT_THAT(Ids(sample), ElementsAre("uid-1003"));
  const core::UserSample& user = sample.users[0];
  EXPECT_FALSE(user.sampled);
  EXPECT_EQ(user.threads, 3);
  EXPECT_EQ(user.processes, 2);
  ASSERT_EQ(user.cgroups.size(), 1u);
  EXPECT_EQ(user.cgroups[0].inode, fs_.Inode("/v2/a").value());
  EXPECT_EQ(user.cgroups[0].usage, CpuTime::Usec(50));
  EXPECT_EQ(user.cgroups[0].pressure_some, CpuTime::Usec(6));

  fs_.SetUsage("/v2/a", 60);
  EXPECT_EQ(Take(absl::Seconds(6)).users[0].cgroups[0].usage,
            CpuTime::Usec(60));
}

TEST_F(NodeSamplerTest, BetweenTicksOnlyTheUseOfOpenGroupsIsRead) {
  population_.population = {
      .at = absl::Seconds(1), .placing = true, .uids = {Uid(1003, 999, "/a")}};
  fs_.SetUsage("/v2/a", 50);
  Take(absl::Seconds(5));
  fs_.SetUsage("/v2/a", 80);
  const uint64_t inode = fs_.Inode("/v2/a").value();

  const core::UseSample sample =
      sampler_->TakeUse({inode, inode + 1000}, absl::Seconds(6));

  EXPECT_EQ(sample.at, absl::Seconds(6));
  ASSERT_EQ(sample.cgroups.size(), 1u);
  EXPECT_EQ(sample.cgroups[0].inode, inode);
  EXPECT_EQ(sample.cgroups[0].usage, CpuTime::Usec(80));
}

TEST_F(NodeSamplerTest, TheUidsOfOneUserAreItsCgroups) {
  population_.population = {.at = absl::Seconds(1),
                            .placing = true,
                            .uids = {Uid(1001, 0, "/a"), Uid(1002, 0, "/b")}};

  const core::Sample sample = Take(absl::Seconds(5));

  ASSERT_THAT(Ids(sample), ElementsAre("alice"));
  EXPECT_EQ(sample.users[0].cgroups.size(), 2u);
  EXPECT_EQ(sample.users[0].threads, 6);
  EXPECT_EQ(sample.users[0].processes, 4);
}

TEST_F(NodeSamplerTest, UsersAreInOrderOfTheirIdsAndStrangersAreLeftOut) {
  population_.population = {
      .at = absl::Seconds(1),
      .placing = false,
      .uids = {Uid(0, 1), Uid(12, 1), Uid(1001, 1), Uid(1003, 1), Uid(10000, 1),
               Uid(65534, 1)}};
  EXPECT_THAT(Ids(Take(absl::Seconds(5))),
              ElementsAre("alice", "uid-0", "uid-10000", "uid-1003"));
}

TEST_F(NodeSamplerTest, AnExemptUserWithoutAGroupIsSampledWherePlacing) {
  population_.population = {.at = absl::Seconds(1),
                            .placing = true,
                            .uids = {Uid(0, 11), Uid(1005, 22)}};

  const core::Sample sample = Take(absl::Seconds(5));

  ASSERT_THAT(Ids(sample), ElementsAre("backup", "uid-0"));
  EXPECT_TRUE(sample.users[0].sampled);
  EXPECT_EQ(sample.users[0].cgroups[0].inode, SampledInode(1005));
  EXPECT_EQ(sample.users[0].cgroups[0].usage, CpuTime::Usec(22));
}

TEST_F(NodeSamplerTest, AManagedUserWaitsForItsGroupWherePlacing) {
  population_.population = {.at = absl::Seconds(1),
                            .placing = true,
                            .uids = {Uid(1001, 5), Uid(1002, 5, "/b")}};
  EXPECT_EQ(Take(absl::Seconds(5)).users[0].cgroups.size(), 1u);
  population_.population.uids = {Uid(1001, 5)};
  EXPECT_THAT(Ids(Take(absl::Seconds(6))), IsEmpty());
}

TEST_F(NodeSamplerTest, AGroupThatIsGoneIsLeftOutWithoutAnError) {
  population_.population = {.at = absl::Seconds(1),
                            .placing = true,
                            .uids = {Uid(1001, 0, "/a"), Uid(1003, 0, "/b")}};
  ASSERT_THAT(Ids(Take(absl::Seconds(5))), ElementsAre("alice", "uid-1003"));

  ASSERT_TRUE(fs_.RemoveDirectory("/v2/b").ok());

  EXPECT_THAT(Ids(Take(absl::Seconds(6))), ElementsAre("alice"));
}

TEST_F(NodeSamplerTest, WhatCantBeReadIsLeftOutForThatTick) {
  population_.population = {
      .at = absl::Seconds(1), .placing = true, .uids = {Uid(1003, 0, "/b")}};
  fs_.FailNext("/v2/b/cpu.stat", testing::FsOp::kRead,
               absl::InternalError("io"));
  EXPECT_THAT(Ids(Take(absl::Seconds(5))), IsEmpty());
  EXPECT_THAT(Ids(Take(absl::Seconds(6))), ElementsAre("uid-1003"));
}

TEST_F(NodeSamplerTest, ObservingASampleIsOfTheScanAndStaysUntilTheNext) {
  population_.population = {
      .at = absl::Seconds(1), .placing = false, .uids = {Uid(1003, 40)}};
  fs_.SetUsage("/v2", 70);
  const core::Sample first = Take(absl::Seconds(5));
  EXPECT_EQ(first.at, absl::Seconds(1));
  EXPECT_TRUE(first.users[0].sampled);
  EXPECT_EQ(first.users[0].cgroups[0].usage, CpuTime::Usec(40));

  fs_.SetUsage("/v2", 90);
  const core::Sample again = Take(absl::Seconds(6));
  EXPECT_EQ(again.at, absl::Seconds(1));
  EXPECT_EQ(again.node.busy, CpuTime::Usec(70));

  population_.population.at = absl::Seconds(2);
  population_.population.uids = {Uid(1003, 60)};
  const core::Sample next = Take(absl::Seconds(7));
  EXPECT_EQ(next.at, absl::Seconds(2));
  EXPECT_EQ(next.node.busy, CpuTime::Usec(90));
  EXPECT_EQ(next.users[0].cgroups[0].usage, CpuTime::Usec(60));
}

TEST_F(NodeSamplerTest, ASampleFromBeforePlacingDoesNotComeBack) {
  population_.population = {
      .at = absl::Seconds(1), .placing = false, .uids = {Uid(1003, 40)}};
  Take(absl::Seconds(5));
  population_.population.placing = true;
  population_.population.uids = {Uid(1003, 40, "/a")};
  EXPECT_EQ(Take(absl::Seconds(6)).at, absl::Seconds(6));

  population_.population.placing = false;
  population_.population.uids = {};

  EXPECT_THAT(Ids(Take(absl::Seconds(7))), IsEmpty());
}

TEST_F(NodeSamplerTest, WithoutTheNodesCountersNothingIsLearned) {
  population_.population = {
      .at = absl::Seconds(1), .placing = true, .uids = {Uid(1003, 0, "/a")}};
  fs_.FailNext("/proc/stat", testing::FsOp::kRead, absl::InternalError("io"));
  EXPECT_TRUE(
      absl::IsInternal(sampler_->Take(policy_, absl::Seconds(5)).status()));
  EXPECT_TRUE(sampler_->Take(policy_, absl::Seconds(6)).ok());
}

TEST_F(NodeSamplerTest, GroupsOfUsersThatLeftAreClosedOnceTheyAreGone) {
  population_.population = {
      .at = absl::Seconds(1), .placing = true, .uids = {Uid(1003, 0, "/a")}};
  const uint64_t inode = Take(absl::Seconds(5)).users[0].cgroups[0].inode;
  population_.population.uids = {};
  Take(absl::Seconds(6));
  EXPECT_NE(table_.Find(inode), nullptr);
  ASSERT_TRUE(fs_.RemoveDirectory("/v2/a").ok());
  Take(absl::Seconds(7));
  EXPECT_EQ(table_.Find(inode), nullptr);
}

}  // namespace
}  // namespace fairsched::kernel
