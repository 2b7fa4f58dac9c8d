// SPDX-License-Identifier: Apache-2.0
#include "agent/core/checkpoint.h"

#include <memory>
#include <string>
#include <vector>

#include "agent/core/engine.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/node_model.h"

namespace fairsched::core {
namespace {

using testing::Always;
using testing::NodeModel;

Policy Enforcing() {
  Settings settings;
  settings.mode = Mode::kEnforce;
  return Policy(settings, {});
}

// One user that owes, another that is owed.
class CheckpointTest : public ::testing::Test {
 protected:
  CheckpointTest()
      : model_(2, {{.id = "uid-1001", .hogs = Always(8), .bias = 4},
                   {.id = "uid-1002", .hogs = Always(2)}}) {
    model_.Run(Enforcing(), absl::Milliseconds(2700));
  }
  CpuTime Balance(const State& state, const std::string& id) {
    return state.users.at(id).balance;
  }

  NodeModel model_;
};

TEST_F(CheckpointTest, AfterARestartAccountsGoOnAsIfTimeHadStoodStill) {
  const State before = model_.state();
  const absl::Duration later = before.at + absl::Seconds(5);

  State state = Resume(Save(before), later);
  // All counters but the daemon's are new.
  Sample sample{.at = later + absl::Milliseconds(1), .node = {.cpus = 2}};
  sample.node.busy = CpuTime::Msec(100000);
  uint64_t inode = 77;
  for (const char* id : {"uid-1001", "uid-1002"}) {
    sample.users.push_back(
        {.id = id,
         .cgroups = {{.inode = inode++, .usage = CpuTime::Msec(50000)}}});
  }
  Step(Enforcing(), sample, state);

  for (const char* id : {"uid-1001", "uid-1002"}) {
    EXPECT_EQ(Balance(state, id), Balance(before, id)) << id;
    EXPECT_TRUE(state.users.at(id).active) << id;
  }
  EXPECT_EQ(state.window_number, before.window_number);
  EXPECT_EQ(state.at - state.window_start,
            before.at - before.window_start + absl::Milliseconds(1));
}

TEST_F(CheckpointTest, WhatIsResumedIsSavedAlike) {
  const Checkpoint saved = Save(model_.state());
  ASSERT_EQ(saved.users.size(), 2u);
  EXPECT_NE(saved.users[0].balance, saved.users[1].balance);
  EXPECT_EQ(Save(Resume(saved, saved.at)), saved);
}

TEST_F(CheckpointTest, ARestartFillsNoTokensOfALimit) {
  const Limit limit = {.kind = Limit::Kind::kCpus, .millicpus = 500};
  const Policy policy(
      {.mode = Mode::kEnforce},
      {{.id = "uid-1001", .selectors = UidSelectors({1001}), .limit = limit}});
  model_.Run(policy, absl::Seconds(2));
  State& state = model_.mutable_state();
  state.users.at("uid-1001").limit.tokens = -CpuTime::Msec(300);
  state = Resume(Save(state), state.at);
  model_.Run(policy, policy.settings().tick);
  EXPECT_LT(state.users.at("uid-1001").limit.tokens, -CpuTime::Msec(150));
}

TEST_F(CheckpointTest, ARestartFillsNoTokensOfAGroupAndForgivesNoDebt) {
  const Policy policy(
      {.mode = Mode::kEnforce},
      {{.id = "uid-1001", .selectors = UidSelectors({1001}), .group = "g"}},
      {{.id = "g", .limit_millicpus = 500}});
  model_.Run(policy, absl::Seconds(2));
  State& state = model_.mutable_state();
  state.group_ledgers.at("g").limit.tokens = -CpuTime::Msec(300);
  state.group_ledgers.at("g").debt.owed = CpuTime::Msec(400);
  const CpuTime used = state.group_ledgers.at("g").used;
  state = Resume(Save(state), state.at);
  EXPECT_EQ(state.group_ledgers.at("g").used, used);
  model_.Run(policy, policy.settings().tick);
  EXPECT_LT(state.group_ledgers.at("g").limit.tokens, -CpuTime::Msec(150));
  EXPECT_GT(state.group_ledgers.at("g").debt.owed, CpuTime::Msec(300));
}

TEST_F(CheckpointTest, ARestartBeginsNoIntervalAnew) {
  const Policy policy(
      {.mode = Mode::kEnforce, .interval = absl::Seconds(5)},
      {{.id = "uid-1001",
        .selectors = UidSelectors({1001}),
        .limit = Limit{.kind = Limit::Kind::kCpus, .millicpus = 200}}});
  model_.SetPresent("uid-1002", false);
  model_.Run(policy, absl::Seconds(3));
  State& state = model_.mutable_state();
  ASSERT_TRUE(state.users.at("uid-1001").long_interval.used_up);
  state = Resume(Save(state), state.at);
  model_.Run(policy, policy.settings().tick);
  EXPECT_TRUE(state.users.at("uid-1001").long_interval.used_up);
}

// The span that is under way, and what steadiness is made of.
TEST_F(CheckpointTest, ARestartLosesNoSpanOfFairness) {
  model_.Run(Enforcing(), absl::Seconds(20));
  State& state = model_.mutable_state();
  const State before = state;
  const absl::Duration away = absl::Seconds(5);
  State later = Resume(Save(state), state.at + away);
  EXPECT_EQ(later.span.number, before.span.number);
  EXPECT_EQ(later.span.start, before.span.start + away);
  EXPECT_TRUE(later.span.contended);
  for (const char* id : {"uid-1001", "uid-1002"}) {
    EXPECT_EQ(later.users.at(id).span, before.users.at(id).span) << id;
    EXPECT_EQ(later.users.at(id).spans.All(), before.users.at(id).spans.All());
    EXPECT_GE(later.users.at(id).spans.count(), 3u);
  }

  state = Resume(Save(state), state.at);
  int spans = 0;
  model_.SetPolicyObserver([&](const Decision& decision) {
    if (!decision.span.has_value()) return;
    ++spans;
    ASSERT_TRUE(decision.span->figures.has_value());
    EXPECT_TRUE(decision.span->figures->steadiness.has_value());
    EXPECT_GT(decision.span->figures->fairness, 0.95);
  });
  model_.Run(Enforcing(), absl::Seconds(3));
  EXPECT_GE(spans, 1);
}

TEST_F(CheckpointTest, ANodeThatIsResumedGoesOnFairly) {
  State& state = model_.mutable_state();
  state = Resume(Save(state), state.at);
  model_.ResetFigures();
  model_.Run(Enforcing(), absl::Seconds(10));
  EXPECT_NEAR(model_.Cpus("uid-1001"), 1.0, 0.02);
  EXPECT_NEAR(model_.Cpus("uid-1002"), 1.0, 0.02);
}

}  // namespace
}  // namespace fairsched::core
