// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_values.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

using core::CpuTime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

CpuMax Max(int64_t quota_usec, int64_t period_usec) {
  return {.quota = CpuTime::Usec(quota_usec),
          .period = absl::Microseconds(period_usec)};
}

CgroupValues Capped(CpuMax max, int64_t burst_usec = 0) {
  CgroupValues values;
  values.max = max;
  values.burst = CpuTime::Usec(burst_usec);
  return values;
}

core::CpuValues Wanted(int32_t weight) {
  return {.weight = weight, .idle = false, .ceiling = std::nullopt};
}

std::vector<PlannedWrite> Unified(const CgroupValues& now,
                                  const CgroupValues& target) {
  return PlanWrites(now, target, Backend::kUnified);
}
std::vector<PlannedWrite> Legacy(const CgroupValues& now,
                                 const CgroupValues& target) {
  return PlanWrites(now, target, Backend::kLegacy);
}

TEST(PlanWritesTest, WhatIsSoAlreadyIsNotWritten) {
  const CgroupValues values = Capped(Max(40000, 100000), 5000);
  EXPECT_THAT(Unified(values, values), IsEmpty());
  EXPECT_THAT(Legacy(values, values), IsEmpty());
}

TEST(PlanWritesTest, BothFieldsOfCpuMaxAreWrittenTogether) {
  EXPECT_THAT(Unified(Capped(Max(40000, 100000)), Capped(Max(40000, 50000))),
              ElementsAre(PlannedWrite{CpuFile::kMax, "40000 50000"}));
  EXPECT_THAT(Unified(Capped(Max(40000, 50000)), CgroupValues()),
              ElementsAre(PlannedWrite{CpuFile::kMax, "max 100000"}));
}

TEST(PlanWritesTest, ABurstIsLoweredBeforeItsQuotaAndRaisedAfterIt) {
  const CgroupValues small = Capped(Max(20000, 100000), 10000);
  const CgroupValues large = Capped(Max(40000, 100000), 30000);
  EXPECT_THAT(Unified(large, small),
              ElementsAre(PlannedWrite{CpuFile::kBurst, "10000"},
                          PlannedWrite{CpuFile::kMax, "20000 100000"}));
  EXPECT_THAT(Unified(small, large),
              ElementsAre(PlannedWrite{CpuFile::kMax, "40000 100000"},
                          PlannedWrite{CpuFile::kBurst, "30000"}));
  EXPECT_THAT(Unified(large, CgroupValues()),
              ElementsAre(PlannedWrite{CpuFile::kBurst, "0"},
                          PlannedWrite{CpuFile::kMax, "max 100000"}));
}

TEST(PlanWritesTest, OnV1WhatLowersTheRatioComesFirst) {
  const CgroupValues now = Capped(Max(40000, 100000));
  EXPECT_THAT(Legacy(now, Capped(Max(400000, 1000000))),
              ElementsAre(PlannedWrite{CpuFile::kPeriod, "1000000"},
                          PlannedWrite{CpuFile::kMax, "400000"}));
  EXPECT_THAT(Legacy(now, Capped(Max(4000, 10000))),
              ElementsAre(PlannedWrite{CpuFile::kMax, "4000"},
                          PlannedWrite{CpuFile::kPeriod, "10000"}));
  EXPECT_THAT(Legacy(CgroupValues(), Capped(Max(4000, 10000))),
              ElementsAre(PlannedWrite{CpuFile::kPeriod, "10000"},
                          PlannedWrite{CpuFile::kMax, "4000"}));
  EXPECT_THAT(Legacy(Capped(Max(4000, 10000)), CgroupValues()),
              ElementsAre(PlannedWrite{CpuFile::kMax, "-1"},
                          PlannedWrite{CpuFile::kPeriod, "100000"}));
}

TEST(PlanWritesTest, TheCeilingComesBeforeWeightAndIdle) {
  CgroupValues target = Capped(Max(40000, 100000));
  target.idle = true;
  EXPECT_THAT(Unified(CgroupValues(), target),
              ElementsAre(PlannedWrite{CpuFile::kMax, "40000 100000"},
                          PlannedWrite{CpuFile::kIdle, "1"}));
  CgroupValues awake;
  awake.weight = 250;
  EXPECT_THAT(Unified(target, awake),
              ElementsAre(PlannedWrite{CpuFile::kMax, "max 100000"},
                          PlannedWrite{CpuFile::kIdle, "0"},
                          PlannedWrite{CpuFile::kWeight, "250"}));
}

TEST(TargetOfTest, WhereTheOperatorHasNothingItIsAsDecided) {
  core::CpuValues wanted = Wanted(7000);
  wanted.ceiling = {.quota = CpuTime::Usec(40000),
                    .period = absl::Milliseconds(100),
                    .burst = CpuTime::Usec(1000)};
  EXPECT_EQ(Outward(TargetOf(wanted, CgroupValues())), wanted);
}

TEST(TargetOfTest, TheSmallerOfTwoCeilingsHoldsWithItsPeriodAndBurst) {
  core::CpuValues wanted = Wanted(100);
  wanted.ceiling = {.quota = CpuTime::Usec(40000),
                    .period = absl::Milliseconds(100),
                    .burst = CpuTime::Usec(1000)};
  // 0.2 CPUs and 0.8 CPUs against 0.4.
  const CgroupValues tight = Capped(Max(10000, 50000), 2000);
  EXPECT_TRUE(TargetOf(wanted, tight) == tight);
  EXPECT_EQ(Outward(TargetOf(wanted, Capped(Max(40000, 50000)))), wanted);
  EXPECT_TRUE(TargetOf(Wanted(100), tight) == tight);
}

TEST(TargetOfTest, OnlyAWeightBelowTheDefaultIsACeiling) {
  CgroupValues own;
  own.weight = 20;
  EXPECT_EQ(TargetOf(Wanted(7000), own).weight, 20);
  EXPECT_EQ(TargetOf(Wanted(3), own).weight, 3);
  own.weight = 500;
  EXPECT_EQ(TargetOf(Wanted(7000), own).weight, 7000);
}

TEST(TargetOfTest, WhatTheOperatorMadeIdleStaysIdle) {
  CgroupValues own;
  own.idle = true;
  EXPECT_TRUE(TargetOf(Wanted(7000), own).idle);
}

}  // namespace
}  // namespace fairsched::kernel
