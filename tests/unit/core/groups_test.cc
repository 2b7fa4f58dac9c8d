// SPDX-License-Identifier: Apache-2.0
#include "agent/core/groups.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "agent/core/engine.h"
#include "gtest/gtest.h"
#include "tests/support/node_model.h"
#include "tests/unit/core/scenario.h"

namespace fairsched::core {
namespace {

using testing::Always;
using testing::NodeModel;

struct Member {
  UserId id;
  GroupId group;
  int32_t shares = 100;
};

Policy Of(std::vector<Member> members, std::vector<GroupPolicy> groups,
          double window_s = 2) {
  std::vector<UserPolicy> users;
  int64_t uid = 1;
  for (Member& member : members) {
    users.push_back({.id = member.id,
                     .selectors = UidSelectors({uid++}),
                     .shares = member.shares,
                     .group = member.group});
  }
  return Policy({.mode = Mode::kEnforce, .window = absl::Seconds(window_s)},
                std::move(users), std::move(groups));
}

const GroupDecision& Group(const NodeModel& node, const GroupId& id) {
  return *std::ranges::find(node.decision().groups, id, &GroupDecision::id);
}

TEST(GroupsTest, AGroupHasAShareOfItsOwnWhateverTheNumberOfItsMembers) {
  const Policy policy =
      Of({{"a", "g"}, {"b", "g"}, {"c", "g"}, {"u", ""}}, {{.id = "g"}});
  NodeModel node(2, {{.id = "a", .hogs = Always(4)},
                     {.id = "b", .hogs = Always(4)},
                     {.id = "c", .hogs = Always(4)},
                     {.id = "u", .hogs = Always(4)}});
  node.Run(policy, absl::Seconds(30));
  EXPECT_NEAR(node.Cpus("u"), 1, 0.01);
  EXPECT_NEAR(node.Cpus("a"), 1 / 3., 0.01);
  EXPECT_NEAR(Group(node, "g").cpus, 1, 0.02);
  EXPECT_NEAR(Group(node, "g").entitlement_cpus, 1, 0.01);
  EXPECT_EQ(Group(node, "g").members, 3);
  EXPECT_NEAR(Group(node, "g").totals.used.seconds(), 30, 0.5);
}

TEST(GroupsTest, TheyNest) {
  // root: u 100, g 300; g: x 100, h 200; h: y, z.
  const Policy policy = Of(
      {{"u", ""}, {"x", "g"}, {"y", "h"}, {"z", "h"}},
      {{.id = "h", .parent = "g", .shares = 200}, {.id = "g", .shares = 300}});
  NodeModel node(4, {{.id = "u", .hogs = Always(8)},
                     {.id = "x", .hogs = Always(8)},
                     {.id = "y", .hogs = Always(8)},
                     {.id = "z", .hogs = Always(8)}});
  node.Run(policy, absl::Seconds(30));
  EXPECT_NEAR(node.Cpus("u"), 1, 0.02);
  EXPECT_NEAR(node.Cpus("x"), 1, 0.02);
  EXPECT_NEAR(node.Cpus("y"), 1, 0.02);
  EXPECT_NEAR(Group(node, "g").cpus, 3, 0.05);
  EXPECT_EQ(Group(node, "h").parent, "g");
}

TEST(GroupsTest, WhatAMemberLeavesGoesToItsGroupFirst) {
  const Policy policy = Of({{"a", "g"}, {"b", "g"}, {"u", ""}}, {{.id = "g"}});
  NodeModel node(4, {{.id = "a", .hogs = Always(4)},
                     {.id = "b", .duty = {Duty(20, 80)}},
                     {.id = "u", .hogs = Always(4)}});
  node.Run(policy, absl::Seconds(60));
  EXPECT_NEAR(node.Cpus("b"), 0.2, 0.01);
  EXPECT_NEAR(node.Cpus("a"), 1.8, 0.03);
  EXPECT_NEAR(node.Cpus("u"), 2.0, 0.03);
}

TEST(GroupsTest, ALimitIsOnTheSumOfItsMembers) {
  const Policy policy =
      Of({{"a", "g"}, {"b", "g"}, {"u", ""}},
         {{.id = "g", .shares = 300, .limit_millicpus = 500}});
  NodeModel node(2, {{.id = "a", .hogs = Always(4)},
                     {.id = "b", .hogs = Always(4)},
                     {.id = "u", .hogs = Always(4)}});
  node.Run(policy, absl::Seconds(60));
  EXPECT_NEAR(node.Cpus("a") + node.Cpus("b"), 0.5, 0.01);
  EXPECT_NEAR(node.Cpus("a"), node.Cpus("b"), 0.01);
  EXPECT_NEAR(node.Cpus("u"), 1.5, 0.01);
}

TEST(GroupsTest, AMemberMayHaveALimitOfItsOwn) {
  Limit limit = {.kind = Limit::Kind::kCpus, .millicpus = 300};
  NodeModel node(2, {{.id = "a", .hogs = Always(4)},
                     {.id = "b", .hogs = Always(4)},
                     {.id = "u", .hogs = Always(4)}});
  node.Run(Policy({.mode = Mode::kEnforce},
                  {{.id = "a",
                    .selectors = UidSelectors({1}),
                    .limit = limit,
                    .group = "g"},
                   {.id = "b", .selectors = UidSelectors({2}), .group = "g"}},
                  {{.id = "g"}}),
           absl::Seconds(60));
  EXPECT_NEAR(node.Cpus("a"), 0.3, 0.01);
  EXPECT_NEAR(node.Cpus("b"), 0.7, 0.01);
  EXPECT_NEAR(node.Cpus("u"), 1.0, 0.01);
}

TEST(GroupsTest, AChangeOfMembershipHoldsAtOnce) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4)},
                     {.id = "b", .hogs = Always(4)},
                     {.id = "u", .hogs = Always(4)}});
  node.Run(Of({}, {}), absl::Seconds(20));
  EXPECT_NEAR(node.Cpus("a"), 2 / 3., 0.02);
  node.ResetFigures();
  node.Run(Of({{"a", "g"}, {"b", "g"}}, {{.id = "g"}}), absl::Seconds(20));
  EXPECT_NEAR(node.Cpus("a"), 0.5, 0.02);
  node.ResetFigures();
  node.Run(Of({{"a", "g"}, {"b", "g"}}, {{.id = "g", .shares = 300}}),
           absl::Seconds(20));
  EXPECT_NEAR(node.Cpus("a"), 0.75, 0.02);
}

TEST(GroupsTest, GroupsThatMakeNoTreeAreInTheRoot) {
  const Policy policy({}, {},
                      {{.id = "a", .parent = "b"},
                       {.id = "b", .parent = "a"},
                       {.id = "c", .parent = "gone"}});
  ASSERT_EQ(policy.group_terms().size(), 4U);
  for (const GroupTerms& group : policy.group_terms())
    EXPECT_EQ(group.parent, 0U) << group.id;
}

}  // namespace
}  // namespace fairsched::core
