// SPDX-License-Identifier: Apache-2.0
#include "agent/core/engine.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/node_model.h"

namespace fairsched::core {
namespace {

using testing::Always;
using ::testing::HasSubstr;
using testing::NodeModel;

Policy Make(Settings settings, std::vector<UserPolicy> users = {}) {
  settings.mode = Mode::kEnforce;
  return Policy(settings, std::move(users));
}

const UserDecision& User(const Decision& decision, const UserId& id) {
  return *std::ranges::find(decision.users, id, &UserDecision::id);
}

TEST(EngineTest, UnequalThreadCountsGetEqualCpu) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4), .bias = 1.2},
                     {.id = "b", .hogs = Always(20)}});
  node.Run(Make({}), absl::Seconds(10));
  node.ResetFigures();
  node.Run(Make({}), absl::Seconds(10));
  EXPECT_NEAR(node.Cpus("a"), node.Cpus("b"), 0.01);
  EXPECT_LT(node.IdleCpus(), 1e-6);
}

TEST(EngineTest, ChangedSharesHoldWithoutARestart) {
  NodeModel node(
      2, {{.id = "a", .hogs = Always(4)}, {.id = "b", .hogs = Always(20)}});
  node.Run(Make({}), absl::Seconds(10));
  const Policy changed =
      Make({}, {{.id = "a", .selectors = UidSelectors({1}), .shares = 300}});
  node.ResetFigures();
  node.Run(changed, absl::Seconds(10));
  EXPECT_NEAR(node.Cpus("a"), 1.5, 0.02);
  node.ResetFigures();
  node.Run(Make({}), absl::Seconds(10));
  EXPECT_NEAR(node.Cpus("a"), 1.0, 0.02);
}

TEST(EngineTest, WhatIsNotManagedIsTakenOffBeforeUsersShare) {
  NodeModel node(
      4, {{.id = "a", .hogs = Always(4)}, {.id = "b", .hogs = Always(8)}});
  node.SetUnmanaged(1);
  node.Run(Make({}), absl::Seconds(30));
  node.ResetFigures();
  node.Run(Make({}), absl::Seconds(10));
  EXPECT_NEAR(node.Cpus("a"), 1.5, 0.02);
  EXPECT_NEAR(node.Cpus("b"), 1.5, 0.02);
  EXPECT_NEAR(node.decision().node.exempt_forecast_cpus, 1.0, 0.1);
}

TEST(EngineTest, AQuietNodeIsNotTouched) {
  NodeModel node(2, {{.id = "a"}, {.id = "b", .hogs = Always(1)}});
  node.Run(Make({}), absl::Seconds(5));
  node.ResetFigures();
  node.Run(Make({}), absl::Seconds(60));
  EXPECT_EQ(node.writes(), 0);
}

TEST(EngineTest, WhoIsAloneHasTheNodeAndIsNotPunishedForIt) {
  NodeModel node(
      2, {{.id = "a",
           .hogs =
               [](absl::Duration t) { return t >= absl::Seconds(30) ? 4 : 0; }},
          {.id = "b", .hogs = Always(4)}});
  node.Run(Make({}), absl::Seconds(30));
  EXPECT_NEAR(node.Cpus("b"), 2.0, 0.01);
  node.ResetFigures();
  node.Run(Make({}), absl::Seconds(10));
  EXPECT_NEAR(node.Cpus("b"), 1.0, 0.02);
}

TEST(EngineTest, LeavingAndComingBackDoesNotLaunderADebt) {
  const Policy policy =
      Make({.pacing = Pacing::kNone, .window = absl::Seconds(10)});
  NodeModel node(2, {{.id = "a", .hogs = Always(4), .bias = 9},
                     {.id = "b", .hogs = Always(4)}});
  node.Run(policy, absl::Seconds(5));
  const CpuTime before = User(node.decision(), "a").balance;
  ASSERT_LT(before, User(node.decision(), "b").balance);
  node.SetPresent("a", false);
  node.Run(policy, absl::Milliseconds(300));
  node.SetPresent("a", true);
  node.Run(policy, absl::Milliseconds(300));
  EXPECT_LE(User(node.decision(), "a").balance,
            User(node.decision(), "b").balance);
}

TEST(EngineTest, UsersKeepTheirFloorWhateverTheySpent) {
  // A debtor of three minutes beside a user that starves for its tokens.
  NodeModel node(
      2,
      {{.id = "a",
        .hogs = [](absl::Duration t) { return t < absl::Seconds(1) ? 0 : 4; }},
       {.id = "b", .hogs = Always(8), .bias = 1000}});
  const Policy policy = Make({.window = absl::Seconds(60)});
  node.Run(policy, absl::Seconds(30));
  node.ResetFigures();
  for (int i = 0; i < 10; ++i) {
    node.Run(policy, absl::Seconds(2));
    EXPECT_GE(node.Cpus("b"), 0.04);
    node.ResetFigures();
  }
}

TEST(EngineTest, ObservingSaysWhatItWouldDo) {
  NodeModel node(
      2,
      {{.id = "a", .duty = {{absl::Milliseconds(50), absl::Milliseconds(50)}}},
       {.id = "b", .hogs = Always(8), .bias = 50}});
  Settings observe{.mode = Mode::kObserve, .pacing = Pacing::kNone};
  bool said = false;
  node.SetPolicyObserver([&said](const Decision& decision) {
    const UserDecision& b = User(decision, "b");
    if (b.state != UserState::kHeld) return;
    EXPECT_THAT(b.reason.text, HasSubstr("observe: would be demoted"));
    said = true;
  });
  node.Run(Policy(observe, {}), absl::Seconds(20));
  EXPECT_TRUE(said);
}

TEST(EngineTest, APausedMachineBeginsANewWindowAndChargesNobody) {
  const Policy policy = Make({});
  State state;
  Sample sample{.at = absl::Seconds(1),
                .node = {.cpus = 2},
                .users = {{.id = "a", .cgroups = {{.inode = 1}}}}};
  Step(policy, sample, state);
  sample.at += absl::Seconds(600);
  sample.users[0].cgroups[0].usage = CpuTime::Msec(1);
  const Decision decision = Step(policy, sample, state);
  ASSERT_TRUE(decision.ended.has_value());
  EXPECT_EQ(decision.ended->end, WindowEnd::kPolicy);
  EXPECT_EQ(decision.users[0].balance, decision.users[0].entitlement);
}

TEST(EngineTest, PacingNoneHoldsTheSpentUntilRenewal) {
  NodeModel node(
      2, {{.id = "a", .hogs = Always(1)},
          {.id = "b", .hogs = Always(8)},
          {.id = "c",
           .duty = {{absl::Milliseconds(100), absl::Milliseconds(400)}}}});
  bool held = false;
  node.SetPolicyObserver([&held](const Decision& decision) {
    held |= User(decision, "b").cgroups[0].wanted.idle;
  });
  node.Run(Make({.pacing = Pacing::kNone, .window = absl::Seconds(10)}),
           absl::Seconds(30));
  EXPECT_TRUE(held);
}

TEST(EngineTest, ReasonsHaveTheFigures) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4)}, {.id = "b"}});
  node.Run(Make({}), absl::Seconds(3));
  EXPECT_THAT(User(node.decision(), "a").reason.text,
              HasSubstr(" of its 2.00 s"));
  EXPECT_EQ(User(node.decision(), "a").reason.code, ReasonCode::kHasTokens);
  EXPECT_EQ(User(node.decision(), "b").state, UserState::kQuiet);
}

TEST(EngineTest, WhoIsAtItsLimitIsToldSo) {
  const Limit limit = {.kind = Limit::Kind::kCpus, .millicpus = 400};
  NodeModel node(
      2, {{.id = "a", .hogs = Always(4)}, {.id = "b", .hogs = Always(4)}});
  node.Run(
      Make({}, {{.id = "a", .selectors = UidSelectors({1}), .limit = limit}}),
      absl::Seconds(5));
  const UserDecision& a = User(node.decision(), "a");
  EXPECT_EQ(a.state, UserState::kLimited);
  EXPECT_EQ(a.reason.code, ReasonCode::kAtLimit);
  EXPECT_THAT(a.reason.text, HasSubstr("limit 0.40 CPUs"));
  EXPECT_EQ(a.limit_cpus, 0.4);
  EXPECT_EQ(a.stolen, CpuTime());
}

TEST(EngineTest, WhatIsTakenBeyondALimitIsStolen) {
  const Limit limit = {.kind = Limit::Kind::kCpus,
                       .millicpus = 400,
                       .steal = Steal{.per_second = CpuTime::Msec(100)}};
  NodeModel node(2, {{.id = "a", .hogs = Always(4)}});
  const Policy policy =
      Make({}, {{.id = "a", .selectors = UidSelectors({1}), .limit = limit}});
  node.Run(policy, absl::Seconds(5));
  const CpuTime before = User(node.decision(), "a").totals.stolen;
  node.Run(policy, absl::Seconds(10));
  const UserDecision& a = User(node.decision(), "a");
  EXPECT_NEAR((a.totals.stolen - before).seconds(), 1.0, 0.05);
  EXPECT_EQ(a.reason.code, ReasonCode::kStealUsedUp);
  EXPECT_THAT(a.reason.text, HasSubstr("steal of 0.10 CPUs"));
}

TEST(EngineTest, ALimitThatIsTakenAwayHoldsNoLonger) {
  const Limit limit = {.kind = Limit::Kind::kCpus, .millicpus = 400};
  NodeModel node(2, {{.id = "a", .hogs = Always(4)}});
  node.Run(
      Make({}, {{.id = "a", .selectors = UidSelectors({1}), .limit = limit}}),
      absl::Seconds(5));
  node.Run(Make({}), absl::Seconds(2));
  node.ResetFigures();
  node.Run(Make({}), absl::Seconds(5));
  EXPECT_NEAR(node.Cpus("a"), 2, 0.01);
  EXPECT_EQ(User(node.decision(), "a").limit_cpus, std::nullopt);
}

TEST(EngineTest, ScalingAllSharesChangesNothing) {
  std::vector<double> got;
  for (const int32_t scale : {1, 30}) {
    NodeModel node(
        2, {{.id = "a", .hogs = Always(4)}, {.id = "b", .hogs = Always(4)}});
    node.Run(
        Make({},
             {{.id = "a", .selectors = UidSelectors({1}), .shares = 3 * scale},
              {.id = "b", .selectors = UidSelectors({2}), .shares = scale}}),
        absl::Seconds(20));
    got.push_back(node.Cpus("a"));
  }
  EXPECT_DOUBLE_EQ(got[0], got[1]);
}

TEST(EngineTest, HandlesUnknownDemand) {
  NodeModel node(
      2, {{.id = "a", .hogs = Always(4), .bias = 1.3, .pressure = false},
          {.id = "b", .hogs = Always(20), .pressure = false}});
  node.Run(Make({}), absl::Seconds(10));
  node.ResetFigures();
  node.Run(Make({}), absl::Seconds(10));
  EXPECT_NEAR(node.Cpus("a"), node.Cpus("b"), 0.02);
  EXPECT_EQ(User(node.decision(), "a").demand_cpus, std::nullopt);
}

}  // namespace
}  // namespace fairsched::core
