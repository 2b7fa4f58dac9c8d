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

}  // namespace fairsched::core
