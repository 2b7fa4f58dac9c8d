// SPDX-License-Identifier: Apache-2.0
#include "agent/core/validate.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

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

std::string UidField(size_t index) {
  return absl::StrCat("selectors[", index, "].uid");
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
  if (!IsValidId(user.id)) {
    out.push_back({"name", absl::StrCat("id '", user.id,
                                        "' is not 1..63 of a-z, 0-9 and '-', a "
                                        "letter first, no '-' last")});
  }
  CheckRange("shares", user.shares, kMinShares, kMaxShares, out);
  CheckCount("selectors", user.uids.size(), 1, kMaxUidsPerUser, out);
  for (size_t i = 0; i < user.uids.size(); ++i) {
    CheckRange(UidField(i), user.uids[i], 0, kMaxUid, out);
    if (std::count(user.uids.begin(), user.uids.begin() + static_cast<long>(i),
                   user.uids[i]) > 0) {
      out.push_back(
          {UidField(i), absl::StrCat(user.uids[i], " is selected twice")});
    }
  }
  const std::optional<int64_t> reserved = UidOfImplicitId(user.id);
  if (reserved.has_value() && !user.uids.empty() &&
      (user.uids.size() > 1 || user.uids.front() != *reserved)) {
    out.push_back({"selectors", absl::StrCat("'", user.id,
                                             "' may only select "
                                             "the uid ",
                                             *reserved)});
  }
  return out;
}

Violations CheckSettings(const Settings& settings) {
  Violations out;
  CheckRange("window", settings.window, kMinWindow, kMaxWindow, out);
  CheckRange("tick", settings.tick, kMinTick, kMaxTick, out);
  if (out.empty() && settings.window < settings.tick * kMinTicksPerWindow) {
    out.push_back(
        {"window",
         absl::StrCat(absl::FormatDuration(settings.window),
                      " is shorter than ", kMinTicksPerWindow, " ticks of ",
                      absl::FormatDuration(settings.tick))});
  }
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

Violations CheckAgainst(const UserPolicy& user, const Policy& policy) {
  Violations out;
  for (const auto& [id, other] : policy.users()) {
    if (id == user.id) continue;
    for (size_t i = 0; i < user.uids.size(); ++i) {
      if (std::ranges::count(other.uids, user.uids[i]) == 0) continue;
      out.push_back({UidField(i), absl::StrCat(user.uids[i], " belongs to '",
                                               id, "' already")});
    }
  }
  return out;
}

}  // namespace fairsched::core
