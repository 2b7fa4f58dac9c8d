// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_SHARE_TREE_H_
#define FAIRSCHED_AGENT_CORE_SHARE_TREE_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "agent/core/policy.h"
#include "agent/core/tick.h"
#include "agent/core/water_fill.h"

namespace fairsched::core {

// A user's claim, and the group that it is a member of.
struct TreeClaim {
  size_t group = 0;  // index, as in Policy::group_terms()
  Claim claim;
};

using Fill = std::vector<CpuTime> (*)(CpuTime pool, std::span<const Claim>);

// Divides `pool` down the tree: each group claims, by its shares, what its
// members want, at most its limit over `span`, and divides what it got among
// them. What a member leaves goes to its group first. One grant per claim. A
// group without claims takes no part. O(n log n + groups).
std::vector<CpuTime> FillTree(CpuTime pool, absl::Duration span,
                              std::span<const GroupTerms> groups,
                              std::span<const TreeClaim> claims, Fill fill);

// What part of the node each user's shares are, among the active: the product
// along its path. Of one that is not active: as if it alone woke.
std::vector<double> PartsOf(std::span<const GroupTerms> groups,
                            std::span<const TickUser> users);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_SHARE_TREE_H_
