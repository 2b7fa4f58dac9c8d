// SPDX-License-Identifier: Apache-2.0
#include "agent/core/demand.h"

#include <optional>

#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(100);

double Demand(double use_cpus, double some, std::optional<int64_t> threads,
              double cpus = 4) {
  return DemandFromPressure({.use = CpuTime::Of(use_cpus, kTick),
                             .some = some,
                             .threads = threads,
                             .cpus = cpus,
                             .elapsed = kTick})
      ->Cpus(kTick);
}

TEST(DemandTest, UnknownPressureIsUnknownDemand) {
  EXPECT_EQ(DemandFromPressure({.use = CpuTime::Msec(50), .elapsed = kTick}),
            std::nullopt);
}

TEST(DemandTest, WhoNeverWaitsWantsWhatItUses) {
  EXPECT_NEAR(Demand(0.5, 0, 8), 0.5, 1e-4);
}

TEST(DemandTest, OneThreadThatWaitsHalfTheTimeWantsTwiceAsMuch) {
  EXPECT_NEAR(Demand(0.5, 0.5, 1), 1.0, 1e-4);
}

TEST(DemandTest, ManySleepingThreadsDoNotHideOneThatWaits) {
  EXPECT_NEAR(Demand(0.8, 0.2, 100), 1.0, 1e-3);
}

TEST(DemandTest, ThreadsThatTakeTurnsToWaitShareTheWaiting) {
  // Two threads, each runs 0.35 and waits 0.3 of the time: each wants 0.5.
  EXPECT_NEAR(Demand(0.7, 1 - 0.7 * 0.7, 2), 1.0, 1e-3);
}

TEST(DemandTest, WhoWaitsAllTheTimeWantsWhatItsThreadsOrTheNodeAllow) {
  EXPECT_NEAR(Demand(0.1, 1.0, 3), 3.0, 1e-4);
  EXPECT_NEAR(Demand(0.1, 1.0, 300), 4.0, 1e-4);
  EXPECT_NEAR(Demand(0.1, 1.0, std::nullopt), 4.0, 1e-4);
}

TEST(DemandTest, WhoHardlyRanIsNotTakenToWantNothing) {
  EXPECT_NEAR(Demand(0, 0.9, 4, 2), 1.8, 1e-4);
  EXPECT_NEAR(Demand(0.01, 0.6, 1), 0.6, 1e-4);
  EXPECT_NEAR(Demand(0.01, 0.1, 1), 0.0111, 1e-3);
}

TEST(DemandTest, WhatItsOwnCeilingHeldItIsNoWaitForOthers) {
  const PressureReading held = {.use = CpuTime::Of(0.2, kTick),
                                .some = 0.5,
                                .throttled = CpuTime::Of(0.5, kTick),
                                .threads = 1,
                                .cpus = 0.4,
                                .node_cpus = 2,
                                .elapsed = kTick};
  EXPECT_NEAR(DemandFromPressure(held)->Cpus(kTick), 0.2, 1e-4);
  // Two threads held on two CPUs are counted twice by the kernel.
  PressureReading half = held;
  half.threads = 2;
  EXPECT_NEAR(DemandFromPressure(half)->Cpus(kTick), 0.2 / 0.75, 1e-3);
}

TEST(DemandTest, NothingBeyondACeilingIsDemand) {
  EXPECT_NEAR(Demand(0.3, 1.0, 8, 0.4), 0.4, 1e-4);
  EXPECT_NEAR(Demand(0.5, 1.0, 8, 0.4), 0.5, 1e-4);
}

TEST(DemandTest, ItIsNeverBelowUseNorMovedByNonsense) {
  EXPECT_NEAR(Demand(1.2, 0.5, 1), 1.2, 1e-4);
  EXPECT_NEAR(Demand(0.5, -3, 1), 0.5, 1e-4);
  EXPECT_NEAR(Demand(0.5, 7, 1), 1.0, 1e-4);
}

}  // namespace
}  // namespace fairsched::core
