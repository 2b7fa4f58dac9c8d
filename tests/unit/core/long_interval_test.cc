// SPDX-License-Identifier: Apache-2.0
#include "agent/core/long_interval.h"

#include <algorithm>

#include "agent/core/engine.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/node_model.h"

namespace fairsched::core {
namespace {

using testing::Always;
using ::testing::HasSubstr;
using testing::NodeModel;

Policy Of(absl::Duration interval, int64_t millicpus,
          absl::Duration tick = absl::Milliseconds(100)) {
  return Policy(
      {.mode = Mode::kEnforce, .tick = tick, .interval = interval},
      {{.id = "a",
        .selectors = UidSelectors({1}),
        .limit = Limit{.kind = Limit::Kind::kCpus, .millicpus = millicpus}}});
}

TEST(LongIntervalTest, ALimitIsKeptOverItAndUsedAtOnce) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4)}});
  const Policy policy = Of(absl::Seconds(5), 400);
  node.Run(policy, absl::Seconds(10));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(60));
  EXPECT_NEAR(node.Cpus("a"), 0.4, 0.004);
  EXPECT_LE(node.ceiling_writes(), 3 * 12 + 1);
  // 2 s of CPU time on two CPUs, and then nothing for four.
  int all = 0, none = 0;
  for (int second = 0; second < 20; ++second) {
    node.ResetFigures();
    node.Run(policy, absl::Seconds(1));
    all += node.Cpus("a") > 1.7 ? 1 : 0;
    none += node.Cpus("a") < 0.01 ? 1 : 0;
  }
  EXPECT_EQ(all, 4);
  EXPECT_GE(none, 12);
}

TEST(LongIntervalTest, OfASecondTheKernelKeepsIt) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4)}});
  const Policy policy = Of(absl::Seconds(1), 400);
  node.Run(policy, absl::Seconds(10));
  EXPECT_EQ(node.ceiling_writes(), 1);
  EXPECT_EQ(node.decision().users[0].cgroups[0].wanted.ceiling->period,
            absl::Seconds(1));
}

TEST(LongIntervalTest, ItHoldsForEveryTickAndLimit) {
  for (const int64_t millicpus : {50, 400, 1500}) {
    for (const auto interval : {absl::Milliseconds(1500), absl::Seconds(3)}) {
      for (const auto tick :
           {absl::Milliseconds(50), absl::Milliseconds(500)}) {
        NodeModel node(4, {{.id = "a", .hogs = Always(6)},
                           {.id = "b", .hogs = Always(1)}});
        const Policy policy = Of(interval, millicpus, tick);
        node.Run(policy, interval * 4);
        node.ResetFigures();
        node.Run(policy, interval * 30);
        const double limit = static_cast<double>(millicpus) / 1000;
        EXPECT_NEAR(node.Cpus("a") / limit, 1, 0.02)
            << millicpus << " " << interval << " " << tick;
      }
    }
  }
}

TEST(LongIntervalTest, BesideOthersItHasItsLimitNoLess) {
  NodeModel node(
      2, {{.id = "a", .hogs = Always(4)}, {.id = "b", .hogs = Always(4)}});
  const Policy policy = Of(absl::Seconds(5), 400);
  node.Run(policy, absl::Seconds(10));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(60));
  EXPECT_NEAR(node.Cpus("a"), 0.4, 0.01);
}

TEST(LongIntervalTest, WhoUsesLessIsNotHeld) {
  NodeModel node(
      2, {{.id = "a",
           .duty = {{absl::Milliseconds(30), absl::Milliseconds(70)}}}});
  const Policy policy = Of(absl::Seconds(5), 400);
  node.Run(policy, absl::Seconds(60));
  EXPECT_NEAR(node.Cpus("a"), 0.3, 0.003);
}

TEST(LongIntervalTest, WhoHasUsedItUpIsAtItsLimit) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4)}});
  node.Run(Of(absl::Seconds(5), 400), absl::Seconds(14));
  const UserDecision& user = node.decision().users[0];
  EXPECT_EQ(user.state, UserState::kLimited);
  EXPECT_THAT(user.reason.text, HasSubstr("used up for another"));
}

TEST(LongIntervalTest, WhatIsLeftIsLostButForTheBurst) {
  const LongTerms terms = {.cpus = 0.4,
                           .interval = absl::Seconds(5),
                           .burst = CpuTime::Msec(100),
                           .node_cpus = 2,
                           .tick = absl::Milliseconds(100)};
  LongInterval state;
  std::optional<Ceiling> now;
  now = KeepLongInterval(terms, absl::Seconds(1), CpuTime(), now, state);
  EXPECT_EQ(now->quota, CpuTime::Msec(2000));
  now =
      KeepLongInterval(terms, absl::Seconds(6), CpuTime::Msec(500), now, state);
  EXPECT_EQ(state.left, CpuTime::Msec(2100));
  // Late by a tick's use: that is the next one's loss.
  now = KeepLongInterval(terms, absl::Seconds(7), CpuTime::Msec(2300), now,
                         state);
  EXPECT_TRUE(state.used_up);
  now = KeepLongInterval(terms, absl::Seconds(11), CpuTime(), now, state);
  EXPECT_EQ(now->quota, CpuTime::Msec(1800));
}

}  // namespace
}  // namespace fairsched::core
