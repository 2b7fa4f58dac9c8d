// SPDX-License-Identifier: Apache-2.0
#include "agent/core/ceiling.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "agent/core/engine.h"
#include "gtest/gtest.h"
#include "tests/support/node_model.h"

namespace fairsched::core {
namespace {

using testing::Always;
using testing::ModelUser;
using testing::NodeModel;

TEST(IntervalTest, ByTheNumberOfCpusIfAuto) {
  EXPECT_EQ(Interval({}, 0, 0.5), absl::Milliseconds(8));
  EXPECT_EQ(Interval({}, 0, 1), absl::Milliseconds(8));
  EXPECT_EQ(Interval({}, 0, 2), absl::Milliseconds(16));
  EXPECT_EQ(Interval({}, 0, 3), absl::Milliseconds(16));
  EXPECT_EQ(Interval({}, 0, 64), absl::Milliseconds(56));
}

TEST(IntervalTest, NiceScalesIt) {
  const absl::Duration interval = absl::Milliseconds(100);
  EXPECT_EQ(Interval(interval, 0, 2), absl::Milliseconds(100));
  EXPECT_EQ(Interval(interval, -6, 2), absl::Milliseconds(100));
  EXPECT_EQ(Interval(interval, -10, 2), absl::Milliseconds(250));
  EXPECT_EQ(Interval(interval, -20, 2), absl::Seconds(1));
  EXPECT_EQ(Interval(interval, 1, 2), absl::Milliseconds(50));
  EXPECT_EQ(Interval(interval, 19, 2), absl::Milliseconds(50));
  EXPECT_EQ(Interval(absl::Milliseconds(1), 19, 2), absl::Milliseconds(1));
  EXPECT_EQ(Interval(absl::Seconds(5), -20, 2), absl::Seconds(5));
}

TEST(MakeCeilingTest, IsWhatTheKernelTakes) {
  EXPECT_EQ(
      MakeCeiling(0.4, absl::Milliseconds(100), {}),
      (Ceiling{.quota = CpuTime::Msec(40), .period = absl::Milliseconds(100)}));
  // A quota of 0.4 ms is too small.
  EXPECT_EQ(
      MakeCeiling(0.4, absl::Milliseconds(1), {}),
      (Ceiling{.quota = CpuTime::Msec(1), .period = absl::Microseconds(2500)}));
  EXPECT_EQ(MakeCeiling(0.0005, absl::Milliseconds(100), {}),
            (Ceiling{.quota = CpuTime::Msec(1), .period = absl::Seconds(1)}));
  EXPECT_EQ(MakeCeiling(2, absl::Seconds(5), {}).period, absl::Seconds(1));
  EXPECT_EQ(MakeCeiling(2, absl::Milliseconds(10), CpuTime::Msec(7)).burst,
            CpuTime::Msec(7));
  EXPECT_EQ(MakeCeiling(2, absl::Milliseconds(10), CpuTime::Msec(70)).burst,
            CpuTime::Msec(20));
}

Limit Cpus(int64_t millicpus, Steal steal = {}) {
  return {.kind = Limit::Kind::kCpus, .millicpus = millicpus, .steal = steal};
}

Policy Of(std::vector<UserPolicy> users, Settings settings = {}) {
  settings.mode = Mode::kEnforce;
  return Policy(settings, std::move(users));
}

std::optional<Ceiling> CeilingOf(const NodeModel& node, const UserId& id) {
  const auto user =
      std::ranges::find(node.decision().users, id, &UserDecision::id);
  return user->cgroups.front().wanted.ceiling;
}

// What the engine asks for, for user a with a limit on 64 CPUs.
std::optional<Ceiling> CeilingWith(const Limit& limit) {
  NodeModel node(64, {{.id = "a", .hogs = Always(1)}});
  node.Run(Of({{.id = "a", .limit = limit}}), absl::Seconds(1));
  return CeilingOf(node, "a");
}

TEST(CeilingTest, IsLimitAndSteal) {
  EXPECT_EQ(CeilingWith({}), std::nullopt);
  EXPECT_EQ(CeilingWith(Cpus(400))->quota, CpuTime::Msec(40));
  EXPECT_EQ(CeilingWith(Cpus(400, {.per_second = CpuTime::Msec(100)}))->quota,
            CpuTime::Msec(50));
  EXPECT_EQ(CeilingWith(Cpus(700, {.unlimited = true})), std::nullopt);
}

TEST(CeilingTest, ASmallLimitKeepsOneWhateverItsSteal) {
  // What leaks to an idle cgroup of 64 CPUs would pass it.
  EXPECT_EQ(CeilingWith(Cpus(600, {.unlimited = true}))->quota,
            CpuTime::Msec(60));
}

TEST(CeilingTest, AnExemptUserHasNone) {
  NodeModel node(2, {{.id = "a", .hogs = Always(1)}});
  node.Run(Of({{.id = "a", .exempt = true, .limit = Cpus(400)}}),
           absl::Seconds(1));
  EXPECT_EQ(CeilingOf(node, "a"), std::nullopt);
}

TEST(CeilingTest, IsWrittenOnceAndHolds) {
  NodeModel node(
      2, {{.id = "a", .hogs = Always(4)}, {.id = "b", .hogs = Always(1)}});
  const Policy policy = Of({{.id = "a", .limit = Cpus(400)}});
  node.Run(policy, absl::Seconds(60));
  EXPECT_EQ(node.ceiling_writes(), 1);
  EXPECT_NEAR(node.Cpus("a"), 0.4, 0.002);
}

TEST(CeilingTest, AChangeOfPolicyIsWrittenOnceInTenPeriods) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4)}});
  node.Run(Of({}), absl::Seconds(5));
  node.ResetFigures();
  for (int i = 0; i < 100; ++i) {
    node.Run(Of({{.id = "a", .limit = Cpus(400 + i % 2)}}),
             absl::Milliseconds(100));
  }
  EXPECT_LE(node.ceiling_writes(), 10);
  EXPECT_GE(node.ceiling_writes(), 5);
  EXPECT_NEAR(node.Cpus("a"), 0.4, 0.05);
}

TEST(CeilingTest, AreNotAllWrittenAtOnce) {
  std::vector<ModelUser> users;
  for (int i = 0; i < 50; ++i)
    users.push_back({.id = absl::StrFormat("u%02d", i), .hogs = Always(1)});
  NodeModel node(64, users);
  node.Run(Of({}, {.default_limit = Cpus(700)}), absl::Seconds(5));
  EXPECT_EQ(node.ceiling_writes(), 50);
  EXPECT_EQ(node.most_ceiling_writes(), 5);
  for (const ModelUser& user : users)
    EXPECT_TRUE(CeilingOf(node, user.id).has_value()) << user.id;
}

TEST(CeilingTest, AnEntitlementIsFollowedBeyondAFewPercent) {
  std::vector<ModelUser> users;
  for (int i = 0; i < 30; ++i) {
    users.push_back({.id = absl::StrFormat("u%02d", i),
                     .hogs = Always(4),
                     .present = i < 20});
  }
  NodeModel node(8, users);
  const Policy policy =
      Of({}, {.default_limit = {.kind = Limit::Kind::kEntitlement}});
  node.Run(policy, absl::Seconds(5));
  EXPECT_NEAR(CeilingOf(node, "u00")->cpus(), 8 / 20., 0.02);
  node.ResetFigures();
  node.SetPresent("u20", true);
  node.Run(policy, absl::Seconds(5));
  EXPECT_EQ(node.ceiling_writes(), 1);
  for (int i = 21; i < 30; ++i)
    node.SetPresent(absl::StrFormat("u%02d", i), true);
  node.Run(policy, absl::Seconds(5));
  EXPECT_NEAR(CeilingOf(node, "u00")->cpus(), 8 / 30., 0.015);
}

TEST(CeilingTest, AWriteIsBookedAsAGrant) {
  // Each hands out a fresh quota: a limit that is flipped all the time pays for
  // it by its weight.
  NodeModel node(2, {{.id = "a", .hogs = Always(4)}});
  node.Run(Of({{.id = "a", .limit = Cpus(400)}}), absl::Milliseconds(100));
  const CpuTime at_rest = CpuTime::Msec(20), quota = CpuTime::Msec(40);
  EXPECT_EQ(node.state().users.at("a").limit.tokens, at_rest - quota);
}

}  // namespace
}  // namespace fairsched::core
