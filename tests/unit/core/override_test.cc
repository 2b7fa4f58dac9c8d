// SPDX-License-Identifier: Apache-2.0
#include "agent/core/override.h"

#include <cmath>
#include <map>
#include <utility>

#include "agent/core/policy.h"
#include "agent/core/validate.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/node_model.h"

namespace fairsched::core {
namespace {

using testing::Always;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using testing::NodeModel;

constexpr Override kHalfACpu = {.kind = Override::Kind::kRestrict,
                                .millicpus = 500};
constexpr Override kFourfold = {.kind = Override::Kind::kBoost, .factor = 4};
constexpr Override kExempted = {.kind = Override::Kind::kExempt};

// Alice is defined, and has a limit of 2 CPUs with all the steal that there is;
// root is exempt; whoever else there is, is implicit.
Policy With(std::map<UserId, Override> overrides, int64_t limit = 2000) {
  return Policy(
      {.mode = Mode::kEnforce, .window = absl::Seconds(2)},
      {{.id = "alice",
        .selectors = UidSelectors({1}),
        .limit = Limit{.kind = Limit::Kind::kCpus,
                       .millicpus = limit,
                       .burst = CpuTime::Msec(10),
                       .steal = Steal{.unlimited = true, .per_second = {}}}}},
      {}, {}, std::move(overrides));
}

TEST(OverrideTest, ARestrictionIsALimitWithoutStealAndBurst) {
  const Policy policy = With({{"alice", kHalfACpu}, {"uid-1001", kHalfACpu}});
  for (const UserId id : {"alice", "uid-1001"}) {
    const Terms& terms = policy.TermsOf(id);
    EXPECT_EQ(terms.limit, Limit::Kind::kCpus) << id;
    EXPECT_EQ(terms.limit_cpus, 0.5) << id;
    EXPECT_EQ(terms.steal_cpus, 0) << id;
    EXPECT_EQ(terms.burst, CpuTime()) << id;
  }
  EXPECT_EQ(policy.TermsOf("uid-1002").limit, Limit::Kind::kNone);
}

TEST(OverrideTest, ARestrictionLoosensNoLowerLimit) {
  const Policy policy = With({{"alice", kHalfACpu}}, /*limit=*/300);
  EXPECT_EQ(policy.TermsOf("alice").limit_cpus, 0.3);
  EXPECT_EQ(policy.TermsOf("alice").steal_cpus, 0);
}

TEST(OverrideTest, ABoostMultipliesSharesAndLeavesTheRest) {
  const Policy policy = With({{"alice", kFourfold}, {"uid-1001", kFourfold}});
  EXPECT_EQ(policy.TermsOf("alice").shares, 400);
  EXPECT_EQ(policy.TermsOf("alice").limit_cpus, 2);
  EXPECT_EQ(policy.TermsOf("uid-1001").shares, 400);
  EXPECT_EQ(policy.TermsOf("uid-1002").shares, 100);
  // The definition is as it was.
  EXPECT_EQ(policy.Of("alice").shares, 100);
}

TEST(OverrideTest, TheExemptHaveNoLimitAndStayWhereTheyAre) {
  const Policy policy = With({{"alice", kExempted}});
  EXPECT_TRUE(policy.TermsOf("alice").exempt);
  EXPECT_EQ(policy.TermsOf("alice").limit, Limit::Kind::kNone);
  EXPECT_EQ(policy.TermsOf("alice").limit_cpus, 0);
  // Placement asks this.
  EXPECT_FALSE(policy.Of("alice").exempt);
}

TEST(OverrideTest, NoRestrictionEndsAnExemption) {
  const Policy policy = With({{"uid-0", kHalfACpu}});
  EXPECT_TRUE(policy.TermsOf("uid-0").exempt);
  EXPECT_EQ(policy.TermsOf("uid-0").limit, Limit::Kind::kNone);
}

TEST(OverrideTest, TheNodeDoesAsItSaysAndAsBeforeOnceItIsOver) {
  NodeModel node(2, {{.id = "uid-1", .hogs = Always(4)},
                     {.id = "uid-2", .hogs = Always(4)}});
  const auto run = [&node](std::map<UserId, Override> overrides) {
    const Policy policy({.mode = Mode::kEnforce, .window = absl::Seconds(2)},
                        {}, {}, {}, std::move(overrides));
    node.Run(policy, absl::Seconds(5));
    node.ResetFigures();
    node.Run(policy, absl::Seconds(20));
    return node.Cpus("uid-1");
  };
  EXPECT_NEAR(run({}), 1, 0.02);
  EXPECT_NEAR(run({{"uid-1", kHalfACpu}}), 0.5, 0.01);
  EXPECT_NEAR(run({{"uid-1", kFourfold}}), 1.6, 0.03);
  EXPECT_GE(run({{"uid-1", kExempted}}), 1.9);
  EXPECT_NEAR(run({}), 1, 0.02);
}

TEST(OverrideTest, WhatItDoesAndHowLongHaveRanges) {
  const absl::Duration hour = absl::Hours(1);
  const auto fields = [](const Override& override, absl::Duration lasts) {
    std::vector<std::string> out;
    for (const Violation& one : CheckOverride(override, lasts))
      out.push_back(one.field);
    return out;
  };
  for (const Override& good : {kHalfACpu, kFourfold, kExempted})
    EXPECT_THAT(fields(good, hour), IsEmpty());
  EXPECT_THAT(fields(kExempted, absl::Microseconds(1)), IsEmpty());
  EXPECT_THAT(fields(kExempted, kMaxOverride), IsEmpty());

  for (const int64_t millicpus : {-1, 0, 9, 10'000'001}) {
    EXPECT_THAT(fields({.millicpus = millicpus}, hour),
                ElementsAre("restriction.millicpus"));
  }
  for (const int32_t factor : {-4, 0, 1, 101}) {
    EXPECT_THAT(
        fields({.kind = Override::Kind::kBoost, .factor = factor}, hour),
        ElementsAre("boost.factor"));
  }
  for (const absl::Duration lasts :
       {absl::ZeroDuration(), absl::Seconds(-1),
        kMaxOverride + absl::Microseconds(1), absl::InfiniteDuration(),
        -absl::InfiniteDuration()}) {
    EXPECT_THAT(fields(kExempted, lasts), ElementsAre("expire_time")) << lasts;
  }
}

TEST(OverrideTest, AnErrorSaysTheValueAndWhatIsAllowed) {
  EXPECT_THAT(CheckOverride(kExempted, absl::Seconds(-5)),
              ElementsAre(Field(&Violation::problem,
                                "5s ago: it must be from now on, within "
                                "720h")));
  EXPECT_THAT(
      CheckOverride(kExempted, absl::Hours(721)),
      ElementsAre(Field(&Violation::problem, "in 721h, more than 720h")));
}

}  // namespace
}  // namespace fairsched::core
