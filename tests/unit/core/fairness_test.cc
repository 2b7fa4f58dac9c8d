// SPDX-License-Identifier: Apache-2.0
#include "agent/core/fairness.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "agent/core/engine.h"
#include "agent/core/water_fill.h"
#include "gtest/gtest.h"
#include "tests/support/node_model.h"
#include "tests/unit/core/scenario.h"

namespace fairsched::core {
namespace {

using testing::Always;
using testing::ModelUser;
using testing::NodeModel;

// The span that ended last within `span`.
FairnessReport LastSpan(NodeModel& node, const Policy& policy,
                        absl::Duration span) {
  FairnessReport last;
  node.SetPolicyObserver([&last](const Decision& decision) {
    if (decision.span.has_value()) last = *decision.span;
  });
  node.Run(policy, span);
  node.SetPolicyObserver(nullptr);
  return last;
}

TEST(FairnessTest, IsMeasuredOverSpansOfAWindowAtLeastASecond) {
  NodeModel node(
      2, {{.id = "a", .hogs = Always(4)}, {.id = "b", .hogs = Always(4)}});
  std::vector<double> lengths;
  node.SetPolicyObserver([&lengths](const Decision& decision) {
    if (decision.span.has_value())
      lengths.push_back(absl::ToDoubleSeconds(decision.span->length));
  });
  node.Run(Shares(3), absl::Seconds(10));
  ASSERT_EQ(lengths.size(), 3U);
  for (const double length : lengths) EXPECT_NEAR(length, 3, 0.01);
}

TEST(FairnessTest, EqualUsersThatGetEqualCpuScoreOne) {
  NodeModel node(
      2, {{.id = "a", .hogs = Always(4)}, {.id = "b", .hogs = Always(16)}});
  const FairnessReport report = LastSpan(node, Shares(1), absl::Seconds(20));
  ASSERT_TRUE(report.figures.has_value());
  EXPECT_GT(report.figures->fairness, 0.995);
  EXPECT_GT(report.figures->min_x, 0.95);
  EXPECT_TRUE(report.figures->demand_known);
  EXPECT_FALSE(report.figures->flagged);
  EXPECT_GT(report.figures->steadiness, 0.99);
  ASSERT_EQ(report.users.size(), 2U);
  EXPECT_NEAR(report.users[0].fair.seconds(), 1, 0.01);
}

TEST(FairnessTest, WithoutContentionThereIsNoNumber) {
  NodeModel node(
      2, {{.id = "a", .hogs = Always(1)}, {.id = "b", .duty = {Duty(10, 90)}}});
  EXPECT_EQ(LastSpan(node, Shares(1), absl::Seconds(5)).figures, std::nullopt);
  EXPECT_EQ(node.decision().node.fairness, std::nullopt);
}

TEST(FairnessTest, OneUserAloneHasNoNumber) {
  NodeModel node(2, {{.id = "a", .hogs = Always(9)}, {.id = "b"}});
  EXPECT_EQ(LastSpan(node, Shares(1), absl::Seconds(5)).figures, std::nullopt);
}

TEST(FairnessTest, UnknownDemandIsFlaggedNotInvented) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4), .pressure = false},
                     {.id = "b", .hogs = Always(4)}});
  const FairnessReport report = LastSpan(node, Shares(1), absl::Seconds(5));
  ASSERT_TRUE(report.figures.has_value());
  EXPECT_FALSE(report.figures->demand_known);
  EXPECT_TRUE(report.figures->flagged);
  EXPECT_EQ(report.figures->longest_starvation, std::nullopt);
}

// Counters that a test writes down, tick by tick.
class FairnessByHandTest : public ::testing::Test {
 protected:
  // A tick of two CPUs in which each user got and, beyond, lacked so much.
  struct Got {
    double cpus = 0, lacked = 0;
  };
  Decision Tick(std::vector<std::pair<UserId, Got>> users) {
    sample_.at += absl::Milliseconds(100);
    double busy = 0;
    for (size_t i = 0; i < users.size(); ++i) {
      const auto& [id, got] = users[i];
      busy += got.cpus;
      if (sample_.users.size() <= i) {
        sample_.users.push_back(
            {.id = id,
             .cgroups = {{.inode = i + 1, .pressure_some = CpuTime()}},
             .threads = 1});
      }
      CgroupSample& cgroup = sample_.users[i].cgroups[0];
      cgroup.usage += CpuTime::Of(got.cpus, absl::Milliseconds(100));
      const double want = got.cpus + got.lacked;
      *cgroup.pressure_some += CpuTime::Of(want > 0 ? got.lacked / want : 0,
                                           absl::Milliseconds(100));
    }
    sample_.node.busy += CpuTime::Of(busy, absl::Milliseconds(100));
    return Step(policy_, sample_, state_);
  }
  // Ten seconds of such ticks: the last span.
  FairnessReport Spans(const std::vector<std::pair<UserId, Got>>& users) {
    FairnessReport last;
    for (int i = 0; i < 101; ++i) {
      const Decision decision = Tick(users);
      if (decision.span.has_value()) last = *decision.span;
    }
    return last;
  }
  Policy policy_ = Shares(1);
  Sample sample_{.at = absl::Seconds(1), .node = {.cpus = 1}};
  State state_;
};

TEST_F(FairnessByHandTest, AStarvedUserIsFlaggedHoweverTinyItsShare) {
  policy_ = Shares(1, {{"x", 1}, {"y", 999}});
  const FairnessReport report =
      Spans({{"x", {.cpus = 0, .lacked = 0.9}}, {"y", {.cpus = 1}}});
  ASSERT_TRUE(report.figures.has_value());
  EXPECT_GT(report.figures->jain, 0.99);
  EXPECT_EQ(report.figures->min_x, 0);
  EXPECT_TRUE(report.figures->flagged);
  EXPECT_GT(report.figures->longest_starvation, absl::Seconds(8));
}

TEST_F(FairnessByHandTest, TwoToOneIsWhatItIs) {
  // Each is due a half and wants more: x is 1 and 2/3 of it.
  const FairnessReport report = Spans({{"a", {.cpus = 2 / 3., .lacked = .3}},
                                       {"b", {.cpus = 1 / 3., .lacked = .6}}});
  ASSERT_TRUE(report.figures.has_value());
  const double x = 2 / 3.;
  EXPECT_NEAR(report.figures->min_x, x, 0.01);
  EXPECT_NEAR(report.figures->jain, (1 + x) * (1 + x) / (2 * (1 + x * x)),
              0.002);
  EXPECT_NEAR(report.figures->worst_error_ratio, 1 / 3., 0.01);
}

TEST_F(FairnessByHandTest, IdleTimeWhileSomebodyIsHeldIsLost) {
  FairnessReport last;
  bool held = false;
  for (int i = 0; i < 200; ++i) {
    // Nobody uses the last tenth; b has had too much and is held.
    state_.users["b"].demoted = true;
    const Decision decision = Tick({{"a", {.cpus = 0.6, .lacked = 0.2}},
                                    {"b", {.cpus = 0.3, .lacked = 0.5}}});
    if (!decision.span.has_value()) continue;
    last = *decision.span;
    held = true;
  }
  ASSERT_TRUE(held && last.figures.has_value());
  EXPECT_NEAR(last.figures->lost_ratio, 0.1, 0.02);
  EXPECT_LE(last.figures->fairness, 0.92);
}

TEST_F(FairnessByHandTest, UnsteadinessCostsAfterThreeSpans) {
  std::vector<FairnessFigures> figures;
  for (int i = 0; i < 121; ++i) {
    const bool odd = i / 10 % 2 == 1;
    const Decision decision =
        Tick({{"a", {.cpus = odd ? 0.2 : 0.5, .lacked = 0.4}},
              {"b", {.cpus = odd ? 0.8 : 0.5, .lacked = 0.1}}});
    if (decision.span.has_value() && decision.span->figures.has_value())
      figures.push_back(*decision.span->figures);
  }
  ASSERT_GE(figures.size(), 10U);
  EXPECT_EQ(figures[1].steadiness, std::nullopt);
  ASSERT_TRUE(figures.back().steadiness.has_value());
  EXPECT_LT(*figures.back().steadiness, 0.97);
  EXPECT_GT(*figures.back().steadiness, 0.8);
}

TEST(FillLeastServedTest, WhoHadLeastComesFirst) {
  const auto cpu = [](int64_t msec) { return CpuTime::Msec(msec); };
  const std::vector<Claim> claims = {
      {.weight = 1, .demand = cpu(100), .had = cpu(50)},
      {.weight = 1, .demand = cpu(100), .had = cpu(0)},
      {.weight = 2, .demand = cpu(10), .had = cpu(0)}};
  const std::vector<CpuTime> got = FillLeastServed(cpu(70), claims);
  EXPECT_NEAR(got[0].seconds(), 0.005, 1e-5);
  EXPECT_NEAR(got[1].seconds(), 0.055, 1e-5);
  EXPECT_NEAR(got[2].seconds(), 0.010, 1e-5);
}

TEST(FillLeastServedTest, WithoutAPastItIsWaterFilling) {
  const std::vector<Claim> claims = {{.weight = 3, .demand = CpuTime::Msec(90)},
                                     {.weight = 1, .demand = CpuTime::Msec(90)},
                                     {.weight = 5, .demand = CpuTime::Msec(7)}};
  const std::vector<CpuTime> levelled =
      FillLeastServed(CpuTime::Msec(100), claims);
  const std::vector<CpuTime> filled = WaterFill(CpuTime::Msec(100), claims);
  for (size_t i = 0; i < claims.size(); ++i)
    EXPECT_NEAR(levelled[i].seconds(), filled[i].seconds(), 2e-6) << i;
}

}  // namespace
}  // namespace fairsched::core
