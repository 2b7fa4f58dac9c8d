// SPDX-License-Identifier: Apache-2.0
#include "agent/core/parts.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "agent/core/engine.h"
#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

// What a cgroup did in a tick.
struct Did {
  std::string user;
  uint64_t inode = 0;
  double cpus = 0;
  double some = 0;  // the part of the time in which a thread of it waited
  int32_t arena = 0;
  double throttled = 0;  // by its ceiling, in CPUs
};

Did Hog(std::string user, uint64_t inode, double cpus, int32_t arena = 0) {
  return {std::move(user), inode, cpus, 1, arena};
}
Did Asleep(std::string user, uint64_t inode, int32_t arena = 0) {
  return {std::move(user), inode, 0, 0, arena};
}

// Held by its ceiling for what is left of the time.
Did Held(std::string user, uint64_t inode, double cpus) {
  return {std::move(user), inode, cpus, 1 - cpus, 0, 1 - cpus};
}

// Cgroups on two CPUs, each of which did what the test says; in order of user.
class PartsTest : public ::testing::Test {
 protected:
  void Run(const std::vector<Did>& cgroups, int ticks,
           std::vector<UserPolicy> users = {}) {
    const Policy policy(Settings{.mode = Mode::kEnforce}, std::move(users));
    for (int i = 0; i < ticks; ++i) Tick(policy, cgroups);
  }

  const CpuValues& Wanted(uint64_t inode) const {
    for (const UserDecision& user : decision_.users) {
      for (const CgroupDecision& cgroup : user.cgroups) {
        if (cgroup.inode == inode) return cgroup.wanted;
      }
    }
    ADD_FAILURE() << "no cgroup " << inode;
    static const CpuValues kNone;
    return kNone;
  }
  double Weight(uint64_t inode) const { return Wanted(inode).weight; }
  double Quota(uint64_t inode) const {
    return Wanted(inode).ceiling.has_value() ? Wanted(inode).ceiling->cpus()
                                             : 1e9;
  }

 private:
  void Tick(const Policy& policy, const std::vector<Did>& cgroups) {
    constexpr absl::Duration kTick = absl::Milliseconds(100);
    at_ += kTick;
    Sample sample{.at = at_, .node = {.cpus = 2}};
    for (const Did& did : cgroups) {
      usage_[did.inode] += CpuTime::Of(did.cpus, kTick);
      some_[did.inode] += CpuTime::Of(did.some, kTick);
      throttled_[did.inode] += CpuTime::Of(did.throttled, kTick);
      busy_ += CpuTime::Of(did.cpus, kTick);
      if (sample.users.empty() || sample.users.back().id != did.user)
        sample.users.push_back({.id = did.user, .threads = 16});
      sample.users.back().cgroups.push_back({.inode = did.inode,
                                             .usage = usage_[did.inode],
                                             .pressure_some = some_[did.inode],
                                             .throttled = throttled_[did.inode],
                                             .arena = did.arena});
    }
    sample.node.busy = busy_;
    decision_ = Step(policy, sample, state_);
  }

  absl::Duration at_;
  CpuTime busy_;
  std::map<uint64_t, CpuTime> usage_, some_, throttled_;
  State state_;
  Decision decision_;
};

TEST_F(PartsTest, TheWeightsOfSiblingsOfOneUserAddUpToItsOwn) {
  Run({Hog("a", 1, 1.0), Hog("b", 2, 0.5), Hog("b", 3, 0.5)}, 20);
  EXPECT_NEAR((Weight(2) + Weight(3)) / Weight(1), 1, 0.1);
  EXPECT_NEAR(Weight(2) / Weight(3), 1, 0.3);
}

TEST_F(PartsTest, WhatSleepsTakesNoWeightFromItsSiblings) {
  Run({Hog("a", 1, 1.0), Hog("b", 2, 1.0), Asleep("b", 3), Asleep("b", 4)}, 20);
  EXPECT_NEAR(Weight(2) / Weight(1), 1, 0.1);
  EXPECT_LT(Weight(3), Weight(2) / 10);
}

TEST_F(PartsTest, AWeightIsWholeInEachArena) {
  Run({Hog("a", 1, 0.5), Hog("b", 2, 0.5), Hog("b", 3, 1.0, 1)}, 20);
  const double apart = Weight(2);
  EXPECT_EQ(Weight(3), apart);
  Run({Hog("a", 1, 0.5), Hog("b", 2, 0.5), Hog("b", 3, 1.0)}, 1);
  EXPECT_LT(Weight(2), apart / 1.5);
  EXPECT_LT(Weight(3), apart / 1.5);
}

TEST_F(PartsTest, ACgroupThatWakesHasItsPartAtOnce) {
  Run({Hog("a", 1, 1.0), Hog("b", 2, 1.0), Asleep("b", 3)}, 20);
  Run({Hog("a", 1, 1.0), Hog("b", 2, 0.9), Hog("b", 3, 0.1)}, 2);
  EXPECT_GT(Weight(3), Weight(2) / 3);
}

TEST_F(PartsTest, CeilingsOfSiblingsOfOneUserAddUpToItsLimit) {
  const UserPolicy b{
      .id = "b", .limit = Limit{.kind = Limit::Kind::kCpus, .millicpus = 600}};
  Run({Hog("b", 2, 0.3), Hog("b", 3, 0.3), Asleep("b", 4)}, 40, {b});
  EXPECT_NEAR(Quota(2) + Quota(3) + Quota(4), 0.6, 0.001);
  EXPECT_NEAR(Quota(2), 0.3, 0.06);
}

TEST_F(PartsTest, TheLastCgroupThatIsLeftHasItAll) {
  const UserPolicy b{
      .id = "b", .limit = Limit{.kind = Limit::Kind::kCpus, .millicpus = 600}};
  Run({Hog("a", 1, 1.0), Hog("b", 2, 0.6), Asleep("b", 3)}, 40, {b});
  ASSERT_LT(Quota(3), 0.1);
  Run({Hog("a", 1, 1.0), Hog("b", 3, 0.6)}, 20, {b});
  EXPECT_NEAR(Quota(3), 0.6, 0.001);
  Run({Hog("a", 1, 1.0), Hog("b", 3, 1.0)}, 20);
  EXPECT_NEAR(Weight(3) / Weight(1), 1, 0.1);
}

TEST_F(PartsTest, WhatTheCeilingOfASleeperHoldsMovesItsPart) {
  const UserPolicy b{
      .id = "b", .limit = Limit{.kind = Limit::Kind::kCpus, .millicpus = 600}};
  Run({Hog("a", 1, 1.0), Held("b", 2, 0.58), Asleep("b", 3)}, 40, {b});
  ASSERT_LT(Quota(3), 0.1);
  Run({Hog("a", 1, 1.0), Held("b", 2, 0.58), Held("b", 3, 0.02)}, 40, {b});
  EXPECT_GT(Quota(3), 0.2);
  EXPECT_NEAR(Quota(2) + Quota(3), 0.6, 0.001);
}

TEST_F(PartsTest, NobodyIsDemotedForWhoStarvesInAnotherArena) {
  // What "a" lacks its arena does not get: "b" can't help it.
  const std::vector<Did> apart = {Hog("a", 1, 0.2), Hog("b", 2, 0.9, 1),
                                  Hog("c", 3, 0.9, 1)};
  Run(apart, 200);
  EXPECT_FALSE(Wanted(2).idle);
  EXPECT_FALSE(Wanted(3).idle);
  EXPECT_EQ(Weight(2), Weight(3));
}

TEST_F(PartsTest, WhoIsAheadOfItsSiblingsIsHeldBackForThem) {
  const std::vector<Did> together = {Hog("a", 1, 0.2), Hog("b", 2, 1.8)};
  Run(together, 20);
  EXPECT_TRUE(Wanted(2).idle);
}

}  // namespace
}  // namespace fairsched::core
