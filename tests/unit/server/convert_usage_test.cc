// SPDX-License-Identifier: Apache-2.0
#include "server/convert_usage.h"

#include "gtest/gtest.h"
#include "server/convert_window.h"
#include "tests/unit/server/test_view.h"

namespace fairsched::server {
namespace {

using core::CpuTime;
using core::UserState;

v1::UserUsage UsageOf(const TestView& test, const core::UserId& id) {
  const UsageView view = test.View();
  return ToProto(view, *FindUser(view, id));
}

TEST(ConvertUsageTest, ALimitAndWhatTheKernelKeepsOfIt) {
  TestView test;
  core::UserDecision& user = test.Add("uid-1001", UserState::kLimited);
  user.limit_cpus = 0.4;
  user.steal_cpus = 0.1;
  user.stolen = CpuTime::Msec(30);
  user.totals = {.stolen = CpuTime::Msec(70), .throttled = CpuTime::Msec(90)};
  user.group = "staff";
  user.fair_cpus = 0.5;
  user.error_ratio = -0.2;
  user.cgroups = {
      {.inode = 1,
       .wanted = {.ceiling = core::Ceiling{.quota = CpuTime::Msec(50),
                                           .period = absl::Milliseconds(100),
                                           .burst = CpuTime::Msec(5)}}}};
  const v1::UserUsage proto = UsageOf(test, "uid-1001");
  EXPECT_EQ(proto.state(), v1::UserUsage::STATE_LIMITED);
  EXPECT_EQ(proto.limit_cpus(), 0.4);
  EXPECT_EQ(proto.steal_cpus(), 0.1);
  EXPECT_EQ(proto.stolen().nanos(), 30'000'000);
  EXPECT_EQ(proto.total_stolen().nanos(), 70'000'000);
  EXPECT_EQ(proto.total_throttled().nanos(), 90'000'000);
  EXPECT_EQ(proto.group(), "groups/staff");
  EXPECT_EQ(proto.fair_cpus(), 0.5);
  EXPECT_EQ(proto.error_ratio(), -0.2);
  ASSERT_EQ(proto.kernel_values_size(), 1);
  const auto& ceiling = proto.kernel_values(0).wanted_ceiling();
  EXPECT_EQ(ceiling.quota().nanos(), 50'000'000);
  EXPECT_EQ(ceiling.period().nanos(), 100'000'000);
  EXPECT_EQ(ceiling.burst().nanos(), 5'000'000);
}

TEST(ConvertUsageTest, FairnessIsAbsentWithoutContention) {
  TestView test;
  EXPECT_FALSE(NodeUsageOf(test.snapshot()).has_fairness());
  test.node().fairness = core::FairnessFigures{
      .fairness = 0.9, .jain = 0.95, .min_x = 0.4, .flagged = true};
  const v1::Fairness fairness = NodeUsageOf(test.snapshot()).fairness();
  EXPECT_EQ(fairness.fairness(), 0.9);
  EXPECT_FALSE(fairness.has_steadiness());
  EXPECT_FALSE(fairness.has_longest_starvation());
  EXPECT_TRUE(fairness.flagged());
}

TEST(ConvertUsageTest, EveryFigureOfAUserIsThere) {
  TestView test;
  core::UserDecision& user = test.Add("uid-1001", UserState::kHeld);
  user.reason = {core::ReasonCode::kSpentOthersStarve, "why"};
  user.shares = 300;
  user.cpus = 0.5;
  user.entitlement_cpus = 0.75;
  user.demand_cpus = 1.5;
  user.balance = CpuTime::Msec(-250);
  user.entitlement = CpuTime::Msec(1500);
  user.used = CpuTime::Msec(1750);
  user.surplus = CpuTime::Msec(10);
  user.held = absl::Milliseconds(20);
  user.totals = {.used = CpuTime::Msec(9000),
                 .surplus = CpuTime::Msec(30),
                 .held = absl::Seconds(4)};
  user.threads = 3;
  user.sampled = true;

  const v1::UserUsage proto = UsageOf(test, "uid-1001");
  EXPECT_EQ(proto.user(), "users/uid-1001");
  EXPECT_EQ(proto.uid(), 1001);
  EXPECT_EQ(proto.state(), v1::UserUsage::STATE_HELD);
  EXPECT_EQ(proto.reason_code(),
            v1::UserUsage::REASON_CODE_SPENT_OTHERS_STARVE);
  EXPECT_EQ(proto.reason(), "why");
  EXPECT_EQ(proto.shares(), 300);
  EXPECT_EQ(proto.cpus(), 0.5);
  EXPECT_EQ(proto.entitlement_cpus(), 0.75);
  EXPECT_EQ(proto.demand_cpus(), 1.5);
  EXPECT_EQ(proto.balance().nanos(), -250'000'000);
  EXPECT_EQ(proto.entitlement().seconds(), 1);
  EXPECT_EQ(proto.used().nanos(), 750'000'000);
  EXPECT_EQ(proto.surplus().nanos(), 10'000'000);
  EXPECT_EQ(proto.held().nanos(), 20'000'000);
  EXPECT_EQ(proto.total_used().seconds(), 9);
  EXPECT_EQ(proto.total_surplus().nanos(), 30'000'000);
  EXPECT_EQ(proto.total_held().seconds(), 4);
  EXPECT_EQ(proto.thread_count(), 3);
  EXPECT_TRUE(proto.sampled());
}

TEST(ConvertUsageTest, WhatIsUnknownIsUnset) {
  TestView test;
  test.Add("a", UserState::kRunning);
  const v1::UserUsage proto = UsageOf(test, "a");
  EXPECT_FALSE(proto.has_demand_cpus());
  EXPECT_FALSE(proto.has_process_count());
  EXPECT_FALSE(proto.has_thread_count());
}

TEST(ConvertUsageTest, AnAbsentUserIsAbsentWhetherInTheSnapshotOrNot) {
  TestView test;
  test.Define("alice", 1001);
  test.Define("bob", 1002);
  test.Add("bob", UserState::kAbsent).totals.used = CpuTime::Msec(3000);
  for (const char* id : {"alice", "bob"}) {
    const v1::UserUsage proto = UsageOf(test, id);
    EXPECT_EQ(proto.state(), v1::UserUsage::STATE_ABSENT);
    EXPECT_EQ(proto.reason_code(), v1::UserUsage::REASON_CODE_ABSENT);
    EXPECT_EQ(proto.display_name(), std::string("The ") + id);
  }
  EXPECT_EQ(UsageOf(test, "bob").total_used().seconds(), 3);
}

TEST(ConvertUsageTest, WhatTheKernelHoldsIsShownOnlyWhileEnforcing) {
  TestView test;
  test.Add("a", UserState::kRunning).cgroups = {{.inode = 7}};
  test.snapshot().applied.cgroups[7] = {
      .path = "/users/a",
      .values = core::CpuValues{.weight = 50, .idle = true}};
  EXPECT_FALSE(UsageOf(test, "a").kernel_values(0).has_applied_weight());

  test.snapshot().enforcement = runtime::Enforcement::kEnforcing;
  const v1::UserUsage proto = UsageOf(test, "a");
  ASSERT_EQ(proto.kernel_values_size(), 1);
  EXPECT_EQ(proto.kernel_values(0).cgroup(), "/users/a");
  EXPECT_EQ(proto.kernel_values(0).wanted_weight(), 100);
  EXPECT_EQ(proto.kernel_values(0).applied_weight(), 50);
  EXPECT_TRUE(proto.kernel_values(0).applied_idle());
}

TEST(ConvertUsageTest, ExemptCpusAreNeverMoreThanTheUnmanaged) {
  TestView test;
  test.Add("uid-0", UserState::kExempt).cpus = 1.5;
  test.node().unmanaged = CpuTime::Msec(120);  // 1.2 CPUs of 100 ms
  v1::NodeUsage node = NodeUsageOf(test.snapshot());
  EXPECT_DOUBLE_EQ(node.exempt_cpus(), 1.2);
  EXPECT_DOUBLE_EQ(node.other_cpus(), 0);
  test.node().unmanaged = CpuTime::Msec(180);
  node = NodeUsageOf(test.snapshot());
  EXPECT_DOUBLE_EQ(node.exempt_cpus(), 1.5);
  EXPECT_NEAR(node.other_cpus(), 0.3, 1e-9);
}

TEST(ConvertUsageTest, BeforeTheFirstTickTheNodeUsesNothing) {
  const v1::NodeUsage node = NodeUsageOf(runtime::Snapshot());
  EXPECT_EQ(node.capacity_cpus(), 0);
  EXPECT_EQ(node.idle_cpus(), 0);
}

TEST(ConvertWindowTest, AWindowEndsAtATimeOfDayAndSpeaksOfCpus) {
  TestView test;
  const core::WindowReport window = {
      .number = 7,
      .at = absl::Seconds(97),  // 3 s before the sample
      .length = absl::Seconds(2),
      .end = core::WindowEnd::kAllSpent,
      .multiple = 3,
      .capacity = CpuTime::Msec(4000),
      .idle = CpuTime::Msec(1000),
      .unmanaged = CpuTime::Msec(500),
      .users = {{.id = "a", .balance_after = CpuTime::Msec(-40)}}};
  const v1::WindowReport proto = ToProto(window, test.snapshot());
  EXPECT_EQ(proto.end_time().seconds(), 1'699'999'997);
  EXPECT_EQ(proto.end_cause(), v1::WindowReport::END_CAUSE_ALL_SPENT);
  EXPECT_EQ(proto.multiple(), 3);
  EXPECT_DOUBLE_EQ(proto.capacity_cpus(), 2);
  EXPECT_DOUBLE_EQ(proto.idle_cpus(), 0.5);
  EXPECT_DOUBLE_EQ(proto.unmanaged_cpus(), 0.25);
  EXPECT_EQ(proto.users(0).user(), "users/a");
  EXPECT_EQ(proto.users(0).balance_after().nanos(), -40'000'000);
}

}  // namespace
}  // namespace fairsched::server
