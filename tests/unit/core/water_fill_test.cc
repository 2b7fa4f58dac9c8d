// SPDX-License-Identifier: Apache-2.0
#include "agent/core/water_fill.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

using ::testing::ElementsAre;

CpuTime Ms(int64_t ms) { return CpuTime::Msec(ms); }

TEST(WaterFillTest, WhatASatisfiedClaimLeavesGoesToTheOthersByWeight) {
  const Claim claims[] = {{.weight = 2, .demand = Ms(10)},
                          {.weight = 2, .demand = Ms(900)},
                          {.weight = 1, .demand = Ms(900)}};
  EXPECT_THAT(WaterFill(Ms(100), claims), ElementsAre(Ms(10), Ms(60), Ms(30)));
}

TEST(WaterFillTest, EnoughForAllGivesAllTheyAskFor) {
  const Claim claims[] = {{.weight = 1, .demand = Ms(10)},
                          {.weight = 100, .demand = Ms(20)}};
  EXPECT_THAT(WaterFill(Ms(100), claims), ElementsAre(Ms(10), Ms(20)));
}

TEST(WaterFillTest, NoClaimsTakeNothing) {
  EXPECT_TRUE(WaterFill(Ms(100), {}).empty());
}

TEST(WaterFillTest, HoldsAtTheEdgesOf64Bits) {
  const CpuTime huge = CpuTime::Usec(int64_t{1} << 60);
  const std::vector<Claim> claims(3,
                                  {.weight = int64_t{1} << 40, .demand = huge});
  const std::vector<CpuTime> grants = WaterFill(huge, claims);
  EXPECT_EQ(grants[0] + grants[1] + grants[2], huge);
  EXPECT_LE(std::abs((grants[0] - grants[2]).usec()), 1);
}

std::vector<Claim> RandomClaims(std::mt19937& random) {
  std::uniform_int_distribution<int64_t> count(0, 40), weight(1, 10'000),
      usec(0, 5'000'000);
  std::vector<Claim> claims(static_cast<size_t>(count(random)));
  for (Claim& claim : claims)
    claim = {.weight = weight(random), .demand = CpuTime::Usec(usec(random))};
  return claims;
}

void ExpectNobodyEnvies(const std::vector<Claim>& claims,
                        const std::vector<CpuTime>& grants) {
  for (size_t i = 0; i < claims.size(); ++i) {
    if (grants[i] == claims[i].demand) continue;
    for (size_t j = 0; j < claims.size(); ++j) {
      EXPECT_GE((grants[i].usec() + 1) * claims[j].weight,
                (grants[j].usec() - 1) * claims[i].weight)
          << "claim " << i << " has less than " << j;
    }
  }
}

TEST(WaterFillTest, KeepsItsGuaranteesOverRandomClaims) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::vector<Claim> claims = RandomClaims(random);
    const CpuTime pool = CpuTime::Usec(
        std::uniform_int_distribution<int64_t>(0, 40'000'000)(random));

    const std::vector<CpuTime> grants = WaterFill(pool, claims);

    CpuTime sum, total;
    for (size_t i = 0; i < claims.size(); ++i) {
      EXPECT_LE(grants[i], claims[i].demand);
      sum += grants[i];
      total += claims[i].demand;
    }
    EXPECT_EQ(sum, std::min(pool, total));
    ExpectNobodyEnvies(claims, grants);
  }
}

}  // namespace
}  // namespace fairsched::core
