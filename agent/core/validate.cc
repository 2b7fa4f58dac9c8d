// SPDX-License-Identifier: Apache-2.0
#include "agent/core/validate.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "agent/core/expand.h"

namespace fairsched::core {
namespace {

constexpr size_t kMaxIdLength = 63;
constexpr size_t kMaxRanges = 64;
constexpr size_t kMaxExemptUids = 64;

void CheckRange(absl::string_view field, int64_t value, int64_t low,
                int64_t high, Violations& out) {
  if (value >= low && value <= high) return;
  out.push_back({std::string(field),
                 absl::StrCat(value, " is not in ", low, "..", high)});
}

void CheckRange(absl::string_view field, absl::Duration value,
                absl::Duration low, absl::Duration high, Violations& out) {
  if (value >= low && value <= high) return;
  out.push_back({std::string(field),
                 absl::StrCat(absl::FormatDuration(value), " is not in ",
                              absl::FormatDuration(low), "..",
                              absl::FormatDuration(high))});
}

void CheckCount(absl::string_view field, size_t count, size_t low, size_t high,
                Violations& out) {
  if (count >= low && count <= high) return;
  out.push_back({std::string(field),
                 absl::StrCat(count, " of them, not ", low, "..", high)});
}

void CheckRange(absl::string_view field, CpuTime value, CpuTime low,
                CpuTime high, Violations& out) {
  CheckRange(field, absl::Microseconds(value.usec()),
             absl::Microseconds(low.usec()), absl::Microseconds(high.usec()),
             out);
}

void CheckId(absl::string_view id, Violations& out) {
  if (IsValidId(id)) return;
  out.push_back({"name", absl::StrCat("id '", id,
                                      "' is not 1..63 of a-z, 0-9 and '-', a "
                                      "letter first, no '-' last")});
}

void CheckSteal(const std::string& field, const Steal& steal, Violations& out) {
  CheckRange(field + ".per_second", steal.per_second, CpuTime(),
             CpuTime::Msec(kMaxLimitMillicpus), out);
}

// A saved second of the limit is the most that a period can hold.
void CheckLimit(const std::string& field, const Limit& limit, Violations& out) {
  CpuTime most_burst = CpuTime::Msec(kMaxLimitMillicpus);
  if (limit.kind == Limit::Kind::kCpus) {
    CheckRange(field + ".millicpus", limit.millicpus, kMinLimitMillicpus,
               kMaxLimitMillicpus, out);
    most_burst = CpuTime::Msec(std::max<int64_t>(limit.millicpus, 0));
  }
  if (limit.kind == Limit::Kind::kNone) {
    if (limit.burst != CpuTime())
      out.push_back({field + ".burst", "set without a limit"});
    if (limit.steal.has_value())
      out.push_back({field + ".steal", "set without a limit"});
    return;
  }
  CheckRange(field + ".burst", limit.burst, CpuTime(), most_burst, out);
  if (limit.steal.has_value()) CheckSteal(field + ".steal", *limit.steal, out);
}

void CheckWindow(const Settings& settings, Violations& out) {
  const AutoWindow& range = settings.auto_window;
  const bool fixed = settings.window != absl::ZeroDuration();
  const size_t before = out.size();
  CheckRange("tick", settings.tick, kMinTick, kMaxTick, out);
  if (fixed) {
    CheckRange("window", settings.window, kMinWindow, kMaxWindow, out);
  } else {
    CheckRange("auto_window.min", range.min, kMinWindow, kMaxWindow, out);
    CheckRange("auto_window.max", range.max, std::max(range.min, kMinWindow),
               kMaxWindow, out);
  }
  // An auto window is as long as ticks need, if it may be.
  const absl::Duration longest = fixed ? settings.window : range.max;
  if (out.size() == before && longest < settings.tick * kMinTicksPerWindow) {
    out.push_back(
        {fixed ? "window" : "auto_window.max",
         absl::StrCat(absl::FormatDuration(longest), " is shorter than ",
                      kMinTicksPerWindow, " ticks of ",
                      absl::FormatDuration(settings.tick))});
  }
  if (fixed) return;
  CheckRange("auto_window.quantum", range.quantum, kMinQuantum, kMaxQuantum,
             out);
}

std::string FieldOf(const std::vector<Selector>& selectors, size_t index) {
  return absl::StrCat("selectors[", index, "].",
                      KindName(selectors[index].kind));
}

void CheckSelectors(const std::vector<Selector>& selectors, Violations& out) {
  CheckCount("selectors", selectors.size(), 1, kMaxSelectors, out);
  for (size_t i = 0; i < selectors.size(); ++i) {
    std::string problem = ProblemOf(selectors[i]);
    if (!problem.empty())
      out.push_back({FieldOf(selectors, i), std::move(problem)});
    const auto end = selectors.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::count(selectors.begin(), end, selectors[i]) > 0) {
      out.push_back({FieldOf(selectors, i),
                     absl::StrCat(TextOf(selectors[i]), " is selected twice")});
    }
  }
}

}  // namespace

bool IsValidId(absl::string_view id) {
  if (id.empty() || id.size() > kMaxIdLength) return false;
  if (!absl::ascii_islower(static_cast<unsigned char>(id.front())) ||
      id.back() == '-') {
    return false;
  }
  return std::ranges::all_of(id, [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return absl::ascii_islower(u) || absl::ascii_isdigit(u) || c == '-';
  });
}

Violations CheckUser(const UserPolicy& user) {
  Violations out;
  CheckId(user.id, out);
  CheckRange("shares", user.shares, kMinShares, kMaxShares, out);
  if (user.limit.has_value()) CheckLimit("limit", *user.limit, out);
  CheckRange("nice", user.nice, kMinNice, kMaxNice, out);
  CheckSelectors(user.selectors, out);
  if (user.expand && user.id.size() + kExpandedBytes > kMaxIdLength) {
    out.push_back({"expand", absl::StrCat("ids of its parts would be ",
                                          user.id.size() + kExpandedBytes,
                                          " long, more than ", kMaxIdLength)});
  }
  const std::optional<int64_t> reserved = UidOfImplicitId(user.id);
  if (reserved.has_value() && !user.selectors.empty() &&
      user.selectors != std::vector<Selector>{UidSelector(*reserved)}) {
    out.push_back({"selectors", absl::StrCat("'", user.id,
                                             "' may only select "
                                             "the uid ",
                                             *reserved)});
  }
  return out;
}

Violations CheckSettings(const Settings& settings) {
  Violations out;
  CheckWindow(settings, out);
  if (settings.interval != absl::ZeroDuration())
    CheckRange("interval", settings.interval, kMinInterval, kMaxInterval, out);
  CheckLimit("default_limit", settings.default_limit, out);
  CheckSteal("default_steal", settings.default_steal, out);
  CheckRange("default_shares", settings.default_shares, kMinShares, kMaxShares,
             out);
  CheckRange("floor_millicpus", settings.floor_millicpus, 0, kMaxFloorMillicpus,
             out);
  CheckCount("uid_ranges", settings.uid_ranges.size(), 0, kMaxRanges, out);
  for (size_t i = 0; i < settings.uid_ranges.size(); ++i) {
    const UidRange range = settings.uid_ranges[i];
    const std::string field = absl::StrCat("uid_ranges[", i, "]");
    CheckRange(field + ".first", range.first, 0, kMaxUid, out);
    CheckRange(field + ".last", range.last, range.first, kMaxUid, out);
  }
  CheckCount("exempt_uids", settings.exempt_uids.size(), 0, kMaxExemptUids,
             out);
  for (size_t i = 0; i < settings.exempt_uids.size(); ++i) {
    CheckRange(absl::StrCat("exempt_uids[", i, "]"), settings.exempt_uids[i], 0,
               kMaxUid, out);
  }
  return out;
}

Violations CheckGroup(const GroupPolicy& group) {
  Violations out;
  CheckId(group.id, out);
  if (group.id == "root") out.push_back({"name", "'root' is what holds all"});
  CheckRange("shares", group.shares, kMinShares, kMaxShares, out);
  if (group.limit_millicpus.has_value()) {
    CheckRange("limit_millicpus", *group.limit_millicpus, kMinLimitMillicpus,
               kMaxLimitMillicpus, out);
  }
  return out;
}

Violations CheckOverride(const Override& override, absl::Duration lasts) {
  Violations out;
  if (override.kind == Override::Kind::kRestrict) {
    CheckRange("restriction.millicpus", override.millicpus, kMinLimitMillicpus,
               kMaxLimitMillicpus, out);
  }
  if (override.kind == Override::Kind::kBoost)
    CheckRange("boost.factor", override.factor, kMinBoost, kMaxBoost, out);
  if (lasts <= absl::ZeroDuration()) {
    out.push_back(
        {"expire_time", absl::StrCat(absl::FormatDuration(-lasts),
                                     " ago: it must be from now on, within ",
                                     absl::FormatDuration(kMaxOverride))});
  } else if (lasts > kMaxOverride) {
    out.push_back(
        {"expire_time",
         absl::StrCat("in ", absl::FormatDuration(lasts), ", more than ",
                      absl::FormatDuration(kMaxOverride))});
  }
  return out;
}

Violations CheckGroupOf(const UserPolicy& user, const Policy& policy) {
  if (user.group.empty() || policy.groups().contains(user.group)) return {};
  return {{"group", absl::StrCat("'", user.group, "' is not defined")}};
}

Violations CheckParent(const GroupPolicy& group, const Policy& policy) {
  size_t above = 0;
  for (GroupId at = group.parent; !at.empty(); ++above) {
    if (at == group.id)
      return {{"parent", absl::StrCat("'", group.parent, "' is below it")}};
    const auto it = policy.groups().find(at);
    if (it == policy.groups().end())
      return {{"parent", absl::StrCat("'", at, "' is not defined")}};
    at = it->second.parent;
  }
  // How deep what is below it goes.
  size_t below = 0;
  for (const auto& [id, other] : policy.groups()) {
    size_t depth = 0;
    GroupId at = id;
    while (!at.empty() && at != group.id) {
      at = policy.groups().at(at).parent;
      ++depth;
    }
    if (at == group.id) below = std::max(below, depth);
  }
  if (above + 1 + below > kMaxGroupDepth) {
    return {{"parent", absl::StrCat("groups would be ", above + 1 + below,
                                    " deep, more than ", kMaxGroupDepth)}};
  }
  return {};
}

Violations CheckAgainst(const UserPolicy& user, const Policy& policy) {
  Violations out;
  for (const auto& [id, other] : policy.users()) {
    if (id == user.id) continue;
    for (size_t i = 0; i < user.selectors.size(); ++i) {
      if (std::ranges::count(other.selectors, user.selectors[i]) == 0) continue;
      out.push_back({FieldOf(user.selectors, i),
                     absl::StrCat(TextOf(user.selectors[i]), " belongs to '",
                                  id, "' already")});
    }
  }
  return out;
}

}  // namespace fairsched::core
