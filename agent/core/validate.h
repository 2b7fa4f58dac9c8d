// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_VALIDATE_H_
#define FAIRSCHED_AGENT_CORE_VALIDATE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "agent/core/policy.h"

// The one validator of everything that operators say, whatever way it came.
namespace fairsched::core {

// One value that is not allowed.
struct Violation {
  std::string field;  // as the API names it, e.g. "shares", "selectors[1].uid"
  std::string problem;  // value and allowed range: "10001 is not in 1..10000"
};
// No violation: the value is allowed.
using Violations = std::vector<Violation>;

inline constexpr int32_t kMinShares = 1;
inline constexpr int32_t kMaxShares = 10000;
inline constexpr size_t kMaxSelectors = 64;
inline constexpr absl::Duration kMinWindow = absl::Seconds(1);
inline constexpr absl::Duration kMaxWindow = absl::Seconds(60);
inline constexpr absl::Duration kMinTick = absl::Milliseconds(50);
inline constexpr absl::Duration kMaxTick = absl::Seconds(1);
inline constexpr int kMinTicksPerWindow = 10;
inline constexpr int32_t kMaxFloorMillicpus = 1000;
inline constexpr int64_t kMinLimitMillicpus = 10;
inline constexpr int64_t kMaxLimitMillicpus = 10'000'000;
inline constexpr int32_t kMinNice = -20;
inline constexpr int32_t kMaxNice = 19;
inline constexpr absl::Duration kMinInterval = absl::Milliseconds(1);
inline constexpr absl::Duration kMaxInterval = absl::Seconds(5);
inline constexpr CpuTime kMinQuantum = CpuTime::Msec(1);
inline constexpr CpuTime kMaxQuantum = CpuTime::Msec(10'000);
inline constexpr size_t kMaxGroupDepth = 8;
inline constexpr int32_t kMinBoost = 2;
inline constexpr int32_t kMaxBoost = 100;
inline constexpr absl::Duration kMaxOverride = absl::Hours(24 * 30);

// Letters a-z, digits and hyphens, 1..63 of them, a letter first, no hyphen
// last: [a-z]([a-z0-9-]{0,61}[a-z0-9])?
bool IsValidId(absl::string_view id);

// Each field of one user by itself. "uid-N" may only select the uid N.
Violations CheckUser(const UserPolicy& user);
// Each field of one group by itself.
Violations CheckGroup(const GroupPolicy& group);
// Each setting, and window against tick.
Violations CheckSettings(const Settings& settings);
// What it does, as "restriction.millicpus" or "boost.factor", and how long:
// more than nothing, and no longer than kMaxOverride, as "expire_time".
Violations CheckOverride(const Override& override, absl::Duration lasts);
// Its group must be one of `policy`.
Violations CheckGroupOf(const UserPolicy& user, const Policy& policy);
// `group` beside the others of `policy` (but for an older self): its parent
// must be one of them, not below it, and nothing deeper than kMaxGroupDepth.
Violations CheckParent(const GroupPolicy& group, const Policy& policy);
// `user` beside the others of `policy` (but for an older self): what one
// selects, no other may.
Violations CheckAgainst(const UserPolicy& user, const Policy& policy);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_VALIDATE_H_
