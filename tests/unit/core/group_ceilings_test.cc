// SPDX-License-Identifier: Apache-2.0
#include "agent/core/group_ceilings.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "agent/core/engine.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/node_model.h"

namespace fairsched::core {
namespace {

using testing::Always;
using ::testing::HasSubstr;
using testing::ModelUser;
using testing::NodeModel;

// Users, each a member of the group that its id begins with; those of "u" are
// in the root.
Policy Of(const std::vector<UserId>& ids, std::vector<GroupPolicy> groups,
          Steal steal = {}) {
  std::vector<UserPolicy> users;
  int64_t uid = 1;
  for (const UserId& id : ids) {
    users.push_back({.id = id,
                     .selectors = UidSelectors({uid++}),
                     .group = id[0] == 'u' ? "" : id.substr(0, 1)});
  }
  return Policy({.mode = Mode::kEnforce, .default_steal = steal},
                std::move(users), std::move(groups));
}

// 4 hogs in every other span of so many seconds, else `least`.
std::function<int(absl::Duration)> Alternating(double seconds, bool even,
                                               int least = 0) {
  return [=](absl::Duration t) {
    const auto span =
        static_cast<int64_t>(absl::ToDoubleSeconds(t) / seconds + 1e-9);
    return (span % 2 == 0) == even ? 4 : least;
  };
}

const UserDecision& User(const NodeModel& node, const UserId& id) {
  return *std::ranges::find(node.decision().users, id, &UserDecision::id);
}

TEST(GroupCeilingsTest, AloneOnTheNodeMembersHaveNoMoreThanTheLimit) {
  NodeModel node(
      4, {{.id = "g1", .hogs = Always(4)}, {.id = "g2", .hogs = Always(8)}});
  const Policy policy = Of({"g1", "g2"}, {{.id = "g", .limit_millicpus = 500}});
  node.Run(policy, absl::Seconds(2));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(20));
  EXPECT_NEAR(node.Cpus("g1") + node.Cpus("g2"), 0.5, 0.005);
  EXPECT_NEAR(node.Cpus("g1"), 0.25, 0.01);
  EXPECT_EQ(User(node, "g1").state, UserState::kLimited);
  EXPECT_THAT(User(node, "g1").reason.text,
              HasSubstr("limit 0.50 CPUs of the group 'g'"));
  EXPECT_TRUE(node.decision().groups[0].at_limit);
}

// So small that the kernel holds it although its steal is unlimited.
TEST(GroupCeilingsTest, WhoIsAtItsOwnLimitIsNotToldOfTheGroups) {
  NodeModel node(
      4, {{.id = "g1", .hogs = Always(4)}, {.id = "g2", .hogs = Always(4)}});
  const Policy policy(
      {.mode = Mode::kEnforce},
      {{.id = "g1",
        .selectors = UidSelectors({1}),
        .limit = Limit{.kind = Limit::Kind::kCpus,
                       .millicpus = 39,
                       .steal = Steal{.unlimited = true, .per_second = {}}},
        .group = "g"},
       {.id = "g2", .selectors = UidSelectors({2}), .group = "g"}},
      {{.id = "g", .limit_millicpus = 500}});
  node.Run(policy, absl::Seconds(5));
  ASSERT_EQ(User(node, "g1").state, UserState::kLimited);
  EXPECT_THAT(User(node, "g1").reason.text, HasSubstr("limit 0.04 CPUs"));
}

TEST(GroupCeilingsTest, WhatAMemberLeavesIsTheOthers) {
  NodeModel node(
      4,
      {{.id = "g1", .hogs = Always(4)},
       {.id = "g2", .duty = {{absl::Milliseconds(5), absl::Milliseconds(95)}}},
       {.id = "g3"}});
  const Policy policy =
      Of({"g1", "g2", "g3"}, {{.id = "g", .limit_millicpus = 500}});
  node.Run(policy, absl::Seconds(5));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(20));
  EXPECT_NEAR(node.Cpus("g2"), 0.05, 0.005);
  EXPECT_NEAR(node.Cpus("g1") + node.Cpus("g2"), 0.5, 0.02);
}

TEST(GroupCeilingsTest, AMemberThatWakesHasItsPartWithinTwoSeconds) {
  NodeModel node(4, {{.id = "g1", .hogs = Always(4)},
                     {.id = "g2", .hogs = [](absl::Duration t) {
                        return t >= absl::Seconds(10) ? 4 : 0;
                      }}});
  const Policy policy =
      Of({"g1", "g2"}, {{.id = "g", .limit_millicpus = 1000}});
  node.Run(policy, absl::Seconds(10));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(2));
  EXPECT_LE(node.Cpus("g1") + node.Cpus("g2"), 1.25);
  node.ResetFigures();
  node.Run(policy, absl::Seconds(20));
  EXPECT_NEAR(node.Cpus("g2"), 0.5, 0.02);
  EXPECT_LE(node.Cpus("g1") + node.Cpus("g2"), 1.005);
}

TEST(GroupCeilingsTest, TurnsGainNothing) {
  NodeModel node(4, {{.id = "g1", .hogs = Alternating(1.5, true)},
                     {.id = "g2", .hogs = Alternating(1.5, false)}});
  const Policy policy = Of({"g1", "g2"}, {{.id = "g", .limit_millicpus = 500}});
  node.Run(policy, absl::Seconds(5));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(120));
  EXPECT_LE(node.Cpus("g1") + node.Cpus("g2"), 0.505);
  EXPECT_GE(node.Cpus("g1") + node.Cpus("g2"), 0.35);
  EXPECT_LE(node.ceiling_writes(), 2 * 2 * 120);
}

TEST(GroupCeilingsTest, TheyHoldDownTheTree) {
  // a holds 1 CPU, of which b may have 0.3.
  NodeModel node(4, {{.id = "a1", .hogs = Always(4)},
                     {.id = "b1", .hogs = Always(4)},
                     {.id = "b2", .hogs = Always(4)},
                     {.id = "u", .hogs = Always(1)}});
  const Policy policy =
      Of({"a1", "b1", "b2", "u"},
         {{.id = "a", .limit_millicpus = 1000},
          {.id = "b", .parent = "a", .limit_millicpus = 300}});
  node.Run(policy, absl::Seconds(3));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(20));
  EXPECT_NEAR(node.Cpus("b1"), 0.15, 0.01);
  EXPECT_NEAR(node.Cpus("b2"), 0.15, 0.01);
  EXPECT_NEAR(node.Cpus("a1"), 0.7, 0.01);
  EXPECT_NEAR(node.Cpus("u"), 1, 0.01);
}

TEST(GroupCeilingsTest, SharesCountWithinTheLimit) {
  const Policy policy(
      {.mode = Mode::kEnforce},
      {{.id = "g1",
        .selectors = UidSelectors({1}),
        .shares = 300,
        .group = "g"},
       {.id = "g2", .selectors = UidSelectors({2}), .group = "g"}},
      {{.id = "g", .limit_millicpus = 400}});
  NodeModel node(
      4, {{.id = "g1", .hogs = Always(4)}, {.id = "g2", .hogs = Always(4)}});
  node.Run(policy, absl::Seconds(3));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(20));
  EXPECT_NEAR(node.Cpus("g1"), 0.3, 0.01);
  EXPECT_NEAR(node.Cpus("g2"), 0.1, 0.01);
}

TEST(GroupCeilingsTest, WithAStealThatIsUnlimitedTheOthersGoFirstAndNoMore) {
  NodeModel node(2, {{.id = "g1", .hogs = Always(4)},
                     {.id = "g2", .hogs = Always(4)},
                     {.id = "u", .hogs = [](absl::Duration t) {
                        return t >= absl::Seconds(10) ? 4 : 0;
                      }}});
  const Policy policy =
      Of({"g1", "g2", "u"}, {{.id = "g", .limit_millicpus = 500}},
         {.unlimited = true, .per_second = {}});
  node.Run(policy, absl::Seconds(10));
  EXPECT_NEAR(node.Cpus("g1") + node.Cpus("g2"), 2, 0.01);
  node.Run(policy, absl::Seconds(2));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(20));
  EXPECT_NEAR(node.Cpus("g1") + node.Cpus("g2"), 0.5, 0.01);
  node.mutable_state().group_ledgers.at("g").limit.tokens = -CpuTime::Msec(500);
  node.Run(policy, policy.settings().tick);
  EXPECT_EQ(User(node, "g1").reason.text,
            "limit 0.50 CPUs of the group 'g' spent: others go first");
}

TEST(GroupCeilingsTest, AStealIsAddedToTheLimit) {
  NodeModel node(
      2, {{.id = "g1", .hogs = Always(4)}, {.id = "g2", .hogs = Always(4)}});
  const Policy policy = Of({"g1", "g2"}, {{.id = "g", .limit_millicpus = 500}},
                           {.per_second = CpuTime::Msec(100)});
  node.Run(policy, absl::Seconds(3));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(20));
  EXPECT_NEAR(node.Cpus("g1") + node.Cpus("g2"), 0.6, 0.01);
}

TEST(GroupCeilingsTest, WithoutALimitNobodyIsHeldAnyMore) {
  NodeModel node(
      2, {{.id = "g1", .hogs = Always(4)}, {.id = "g2", .hogs = Always(4)}});
  node.Run(Of({"g1", "g2"}, {{.id = "g", .limit_millicpus = 500}}),
           absl::Seconds(5));
  ASSERT_TRUE(User(node, "g1").cgroups[0].wanted.ceiling.has_value());
  node.Run(Of({"g1", "g2"}, {{.id = "g"}}), absl::Seconds(3));
  EXPECT_FALSE(User(node, "g1").cgroups[0].wanted.ceiling.has_value());
}

TEST(GroupCeilingsTest, AQuotaThatIsSharedOutAnewAllTheTimeGainsNothing) {
  for (const double seconds : {0.2, 0.5, 1.0, 1.5, 3.0}) {
    NodeModel node(
        4, {{.id = "b1", .hogs = Alternating(seconds, true, 1), .of = "b"},
            {.id = "b2", .hogs = Alternating(seconds, false, 1), .of = "b"},
            {.id = "u", .hogs = Always(2)}});
    const Policy policy(
        {.mode = Mode::kEnforce, .interval = absl::Milliseconds(70)},
        {{.id = "b",
          .selectors = UidSelectors({1}),
          .limit = Limit{.kind = Limit::Kind::kCpus, .millicpus = 600}}});
    node.Run(policy, absl::Seconds(5));
    node.ResetFigures();
    node.Run(policy, absl::Seconds(120));
    EXPECT_LE(node.Cpus("b1") + node.Cpus("b2"), 0.606) << seconds;
  }
}

TEST(GroupCeilingsTest, ACgroupThatIsNewHandsOutNoQuota) {
  std::vector<ModelUser> users = {{.id = "u", .hogs = Always(2)}};
  for (int i = 0; i < 70; ++i) {
    users.push_back({.id = "b" + std::to_string(100 + i),
                     .hogs = Always(4),
                     .present = i < 2,
                     .of = "b"});
  }
  NodeModel node(4, users);
  const Policy policy(
      {.mode = Mode::kEnforce},
      {{.id = "b",
        .selectors = UidSelectors({1}),
        .limit = Limit{.kind = Limit::Kind::kCpus, .millicpus = 600}}});
  double used = 0;
  for (int i = 0; i < 68; ++i) {
    node.ResetFigures();
    node.Run(policy, absl::Milliseconds(500));
    for (const ModelUser& user : users) {
      if (user.of == "b") used += node.Cpus(user.id) * 0.5;
    }
    node.SetPresent("b" + std::to_string(100 + i), false);
    node.SetPresent("b" + std::to_string(102 + i), true);
  }
  // The first tick of each runs before anybody knows of it.
  RecordProperty("cpus", std::to_string(used / 34));
  EXPECT_LE(used / 34, 0.66);
}

}  // namespace
}  // namespace fairsched::core
