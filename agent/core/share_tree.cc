// SPDX-License-Identifier: Apache-2.0
#include "agent/core/share_tree.h"

#include <algorithm>
#include <cstdint>

namespace fairsched::core {
namespace {

// The claims of one group's members: `of` says whose each is.
struct Level {
  std::vector<Claim> claims;
  std::vector<size_t> of;  // a claim, or past them a group
};

}  // namespace

std::vector<CpuTime> FillTree(CpuTime pool, absl::Duration span,
                              std::span<const GroupTerms> groups,
                              std::span<const TreeClaim> claims, Fill fill) {
  std::vector<Level> levels(groups.size());
  levels[0].claims.reserve(claims.size());
  levels[0].of.reserve(claims.size());
  for (size_t i = 0; i < claims.size(); ++i) {
    Level& level = levels[claims[i].group];
    level.claims.push_back(claims[i].claim);
    level.of.push_back(i);
  }
  // Children come behind their parents.
  for (size_t g = groups.size() - 1; g > 0; --g) {
    if (levels[g].claims.empty()) continue;
    Claim sum{.weight = groups[g].shares, .demand = {}, .had = {}};
    for (const Claim& claim : levels[g].claims) {
      sum.demand += claim.demand;
      sum.had += claim.had;
    }
    if (groups[g].limit_cpus > 0) {
      sum.demand =
          std::min(sum.demand, CpuTime::Of(groups[g].limit_cpus, span));
    }
    levels[groups[g].parent].claims.push_back(sum);
    levels[groups[g].parent].of.push_back(claims.size() + g);
  }
  std::vector<CpuTime> pools(groups.size());
  pools[0] = pool;
  std::vector<CpuTime> grants(claims.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    const std::vector<CpuTime> got = fill(pools[g], levels[g].claims);
    for (size_t i = 0; i < got.size(); ++i) {
      const size_t of = levels[g].of[i];
      (of < claims.size() ? grants[of] : pools[of - claims.size()]) = got[i];
    }
  }
  return grants;
}

std::vector<double> PartsOf(std::span<const GroupTerms> groups,
                            std::span<const TickUser> users) {
  std::vector<int64_t> active_shares(groups.size());
  for (const TickUser& user : users) {
    if (user.ledger->active)
      active_shares[user.terms.group] += user.terms.shares;
  }
  for (size_t g = groups.size() - 1; g > 0; --g) {
    if (active_shares[g] > 0)
      active_shares[groups[g].parent] += groups[g].shares;
  }
  const auto part = [&active_shares](int32_t shares, size_t parent,
                                     bool active) {
    return static_cast<double>(shares) /
           static_cast<double>(active_shares[parent] + (active ? 0 : shares));
  };
  std::vector<double> group_parts(groups.size(), 1.0);
  for (size_t g = 1; g < groups.size(); ++g) {
    group_parts[g] =
        group_parts[groups[g].parent] *
        part(groups[g].shares, groups[g].parent, active_shares[g] > 0);
  }
  std::vector<double> parts;
  parts.reserve(users.size());
  for (const TickUser& user : users) {
    parts.push_back(group_parts[user.terms.group] * part(user.terms.shares,
                                                         user.terms.group,
                                                         user.ledger->active));
  }
  return parts;
}

}  // namespace fairsched::core
