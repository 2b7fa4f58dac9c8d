// SPDX-License-Identifier: Apache-2.0
#include "agent/core/water_fill.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "absl/numeric/int128.h"

namespace fairsched::core {
namespace {

// floor(pool x weight / total); the product may need more than 64 bits.
int64_t Part(int64_t pool, int64_t weight, int64_t total) {
  return static_cast<int64_t>(absl::int128(pool) * weight / total);
}

}  // namespace

std::vector<CpuTime> WaterFill(CpuTime pool, std::span<const Claim> claims) {
  std::vector<size_t> order(claims.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // By the level at which each is full, so that one pass is enough.
  std::ranges::sort(order, [&claims](size_t a, size_t b) {
    const absl::int128 left =
        absl::int128(claims[a].demand.usec()) * claims[b].weight;
    const absl::int128 right =
        absl::int128(claims[b].demand.usec()) * claims[a].weight;
    return left != right ? left < right : a < b;
  });

  std::vector<CpuTime> grants(claims.size());
  int64_t left = std::max<int64_t>(pool.usec(), 0);
  int64_t open_weight = 0;
  for (const Claim& claim : claims) open_weight += claim.weight;
  size_t next = 0;
  for (; next < order.size(); ++next) {
    const Claim& claim = claims[order[next]];
    if (claim.demand.usec() > Part(left, claim.weight, open_weight)) break;
    grants[order[next]] = claim.demand;
    left -= claim.demand.usec();
    open_weight -= claim.weight;
  }

  // Each of the rest gets the step between two points of one line, so that the
  // steps sum to what is left exactly.
  int64_t before = 0;
  for (; next < order.size(); ++next) {
    const int64_t from = Part(left, before, open_weight);
    before += claims[order[next]].weight;
    grants[order[next]] = CpuTime::Usec(Part(left, before, open_weight) - from);
  }
  return grants;
}

std::vector<CpuTime> FillLeastServed(CpuTime pool,
                                     std::span<const Claim> claims) {
  // Raise a level of CPU time per weight: a claim takes part from what it had
  // until its demand is full. Each of its two ends is a step in the rate at
  // which the level uses up the pool.
  struct End {
    double level = 0;
    double weight = 0;  // more per level from here on
  };
  std::vector<End> ends;
  ends.reserve(claims.size() * 2);
  for (const Claim& claim : claims) {
    if (claim.demand <= CpuTime()) continue;
    const auto weight = static_cast<double>(claim.weight);
    ends.push_back({claim.had.seconds() / weight, weight});
    ends.push_back({(claim.had + claim.demand).seconds() / weight, -weight});
  }
  std::ranges::sort(ends, {}, &End::level);
  double left = pool.seconds(), level = 0, rate = 0;
  for (const End& end : ends) {
    const double step = rate * (end.level - level);
    if (step >= left) break;
    left -= step;
    level = end.level;
    rate += end.weight;
  }
  if (rate > 0) level += left / rate;
  std::vector<CpuTime> grants(claims.size());
  for (size_t i = 0; i < claims.size(); ++i) {
    const Claim& claim = claims[i];
    const CpuTime most = CpuTime::Of(level * static_cast<double>(claim.weight),
                                     absl::Seconds(1));
    grants[i] = std::clamp(most - claim.had, CpuTime(), claim.demand);
  }
  return grants;
}

}  // namespace fairsched::core
