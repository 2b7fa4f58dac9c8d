// SPDX-License-Identifier: Apache-2.0
#include "agent/core/accounting.h"

#include <optional>

#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(100);

// One user "a" with one cgroup on two CPUs.
Sample At(int tick, uint64_t inode, int64_t usage_ms, int64_t busy_ms = 0) {
  return {.at = kTick * tick,
          .node = {.cpus = 2, .busy = CpuTime::Msec(busy_ms)},
          .users = {{.id = "a",
                     .cgroups = {
                         {.inode = inode, .usage = CpuTime::Msec(usage_ms)}}}}};
}

class AccountingTest : public ::testing::Test {
 protected:
  Tick Take(const Sample& sample) { return Account(policy_, sample, state_); }
  CpuTime UseOf(const Sample& sample) { return Take(sample).users[0].use; }

  Policy policy_;
  State state_;
};

TEST_F(AccountingTest, TheFirstSampleOnlySaysWhereTheCountersStand) {
  const Tick tick = Take(At(5, 1, 7000, 9000));
  EXPECT_EQ(tick.elapsed, absl::ZeroDuration());
  EXPECT_EQ(tick.users[0].use, CpuTime());
  EXPECT_EQ(tick.capacity, CpuTime());
}

TEST_F(AccountingTest, UseIsTheDifferenceOfTheCounter) {
  Take(At(1, 1, 7000));
  EXPECT_EQ(UseOf(At(2, 1, 7050)), CpuTime::Msec(50));
}

TEST_F(AccountingTest, ACounterThatGoesBackIsZeroAndCounted) {
  Take(At(1, 1, 100'000));
  EXPECT_EQ(UseOf(At(2, 1, 3000)), CpuTime());
  EXPECT_EQ(state_.counter_resets, 1u);
  EXPECT_EQ(UseOf(At(3, 1, 3010)), CpuTime::Msec(10));
}

TEST_F(AccountingTest, ACgroupMadeAnewIsChargedFromItsOwnBeginning) {
  Take(At(1, 1, 100'000));
  EXPECT_EQ(UseOf(At(2, 2, 30)), CpuTime::Msec(30));
  EXPECT_EQ(state_.counter_resets, 0u);
}

TEST_F(AccountingTest, AnOldCgroupSeenForTheFirstTimeIsNotChargedItsPast) {
  Take(At(1, 1, 0));
  EXPECT_EQ(UseOf(At(2, 2, 100'000)), CpuTime());
  EXPECT_EQ(UseOf(At(3, 2, 100'040)), CpuTime::Msec(40));
}

TEST_F(AccountingTest, MoreThanTheNodeCanGiveIsClampedAndCounted) {
  Take(At(1, 1, 0));
  EXPECT_EQ(UseOf(At(2, 1, 201)), CpuTime::Msec(200));
  EXPECT_EQ(state_.counter_clamps, 1u);
}

TEST_F(AccountingTest, SampledUseMayComeAllAtOnce) {
  Sample sample = At(1, 1, 0);
  sample.users[0].sampled = true;
  Take(sample);
  sample.at = kTick * 2;
  sample.users[0].cgroups[0].usage = CpuTime::Msec(900);
  EXPECT_EQ(UseOf(sample), CpuTime::Msec(900));
  EXPECT_EQ(state_.counter_clamps, 0u);
}

TEST_F(AccountingTest, AUsersCgroupsAddUp) {
  Sample sample = At(1, 1, 0);
  sample.users[0].cgroups.push_back({.inode = 2, .usage = CpuTime::Msec(500)});
  Take(sample);
  sample.at = kTick * 2;
  sample.users[0].cgroups[0].usage = CpuTime::Msec(30);
  sample.users[0].cgroups[1].usage = CpuTime::Msec(520);
  EXPECT_EQ(UseOf(sample), CpuTime::Msec(50));
}

TEST_F(AccountingTest, ALateTickIsOneTickOfItsRealLength) {
  Take(At(1, 1, 0));
  const Tick tick = Take(At(71, 1, 7000));
  EXPECT_EQ(tick.elapsed, absl::Seconds(7));
  EXPECT_EQ(tick.users[0].use, CpuTime::Msec(7000));
  EXPECT_EQ(state_.counter_clamps, 0u);
}

TEST_F(AccountingTest, WhatIsNotManagedIsBusyLessTheUsers) {
  Take(At(1, 1, 0, 0));
  const Tick tick = Take(At(2, 1, 50, 180));
  EXPECT_EQ(tick.managed, CpuTime::Msec(50));
  EXPECT_EQ(tick.unmanaged, CpuTime::Msec(130));
  EXPECT_EQ(tick.idle, CpuTime::Msec(20));
}

TEST_F(AccountingTest, HypervisorStealIsNoCapacityAndNotIdle) {
  Take(At(1, 1, 0, 0));
  Sample sample = At(2, 1, 90, 100);
  sample.node.hypervisor_steal = CpuTime::Msec(100);
  const Tick tick = Take(sample);
  EXPECT_EQ(tick.capacity, CpuTime::Msec(100));
  EXPECT_EQ(tick.idle, CpuTime());
}

TEST_F(AccountingTest, ANodeCounterThatGoesBackIsCountedAndHarmless) {
  Take(At(1, 1, 0, 1000));
  const Tick tick = Take(At(2, 1, 50, 10));
  EXPECT_EQ(tick.unmanaged, CpuTime());
  EXPECT_EQ(tick.idle, CpuTime::Msec(200));
  EXPECT_EQ(state_.counter_resets, 1u);
}

TEST_F(AccountingTest, CgroupsAndUsersThatAreGoneAreForgotten) {
  Take(At(1, 1, 0));
  for (int tick = 2; tick < 10'000; ++tick)
    Take(At(tick, static_cast<uint64_t>(tick), 1));
  EXPECT_EQ(state_.cgroups.size(), 1u);
  Sample empty = At(20'000, 1, 0);
  empty.users.clear();
  Take(empty);
  EXPECT_EQ(state_.users.size(), 0u);
}

TEST_F(AccountingTest, PressureOfACgroupMadeAnewCountsFromItsBeginning) {
  Take(At(1, 1, 0));
  Sample sample = At(2, 2, 50);
  sample.users[0].cgroups[0].pressure_some = CpuTime::Msec(50);
  const Tick tick = Take(sample);
  ASSERT_TRUE(tick.users[0].demand.has_value());
  EXPECT_EQ(*tick.users[0].demand, CpuTime::Msec(100));
}

TEST_F(AccountingTest, WithoutPressureDemandIsUnknown) {
  Take(At(1, 1, 0));
  EXPECT_EQ(Take(At(2, 1, 50)).users[0].demand, std::nullopt);
}

}  // namespace
}  // namespace fairsched::core
