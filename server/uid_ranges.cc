// SPDX-License-Identifier: Apache-2.0
#include "server/uid_ranges.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "agent/core/validate.h"

namespace fairsched::server {
namespace {

using core::UidRange;

constexpr int64_t kDefaultUidMin = 1000;
constexpr size_t kMaxRanges = 64;
// systemd's dynamic users, 65534 (nobody) and 65535 (no uid in 16 bits).
constexpr UidRange kNotOrdinary = {61184, 65535};

int64_t UidMin(absl::string_view login_defs) {
  for (const absl::string_view line : absl::StrSplit(login_defs, '\n')) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
    int64_t uid = 0;
    if (words.size() >= 2 && words[0] == "UID_MIN" &&
        absl::SimpleAtoi(words[1], &uid) && uid > 0 && uid <= core::kMaxUid) {
      return uid;
    }
  }
  return kDefaultUidMin;
}

// "name:first:count"
std::optional<UidRange> SubordinateRange(absl::string_view line) {
  const std::vector<absl::string_view> fields = absl::StrSplit(line, ':');
  int64_t first = 0, count = 0;
  if (fields.size() != 3 || !absl::SimpleAtoi(fields[1], &first) ||
      !absl::SimpleAtoi(absl::StripAsciiWhitespace(fields[2]), &count) ||
      first < 0 || first > core::kMaxUid || count <= 0) {
    return std::nullopt;
  }
  return UidRange{first,
                  first + std::min(count, core::kMaxUid - first + 1) - 1};
}

std::vector<UidRange> Subtract(const std::vector<UidRange>& from,
                               UidRange what) {
  std::vector<UidRange> out;
  for (const UidRange range : from) {
    if (range.first < what.first)
      out.push_back({range.first, std::min(range.last, what.first - 1)});
    if (range.last > what.last)
      out.push_back({std::max(range.first, what.last + 1), range.last});
  }
  return out;
}

}  // namespace

std::vector<UidRange> OrdinaryUids(absl::string_view login_defs,
                                   absl::string_view subuid) {
  const std::vector<UidRange> all =
      Subtract({{UidMin(login_defs), core::kMaxUid}}, kNotOrdinary);
  std::vector<UidRange> out = all;
  UidRange span = {core::kMaxUid, 0};
  for (const absl::string_view line : absl::StrSplit(subuid, '\n')) {
    const std::optional<UidRange> range = SubordinateRange(line);
    if (!range.has_value()) continue;
    out = Subtract(out, *range);
    span = {std::min(span.first, range->first),
            std::max(span.last, range->last)};
  }
  return out.size() <= kMaxRanges ? out : Subtract(all, span);
}

}  // namespace fairsched::server
