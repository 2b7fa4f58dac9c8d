// SPDX-License-Identifier: Apache-2.0
#include "client/values.h"

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "agent/core/status_macros.h"

namespace fairsched::client {
namespace {

constexpr int64_t kLastUid = 4294967294;
constexpr absl::string_view kNone = "none";

absl::Status NotA(absl::string_view text, absl::string_view form) {
  return absl::InvalidArgumentError(absl::StrCat("'", text, "' is not ", form));
}

absl::StatusOr<int64_t> ParseUid(absl::string_view text) {
  int64_t uid = 0;
  if (!absl::SimpleAtoi(text, &uid) || uid < 0 || uid > kLastUid) {
    return NotA(text, absl::StrCat("a uid of 0..", kLastUid));
  }
  return uid;
}

absl::StatusOr<v1::UidRange> ParseUidRange(absl::string_view text) {
  const std::vector<absl::string_view> ends =
      absl::StrSplit(text, absl::MaxSplits('-', 1));
  v1::UidRange range;
  ASSIGN_OR_RETURN(const int64_t first, ParseUid(ends.front()));
  ASSIGN_OR_RETURN(const int64_t last, ParseUid(ends.back()));
  if (last < first) {
    return NotA(text, "a range of uids: its end is before its beginning");
  }
  range.set_first(first);
  range.set_last(last);
  return range;
}

// Items with commas between them, or "none".
template <typename Item, typename Parse>
absl::StatusOr<std::vector<Item>> ParseList(absl::string_view text,
                                            Parse parse) {
  std::vector<Item> items;
  if (text == kNone) return items;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    ASSIGN_OR_RETURN(const Item item, parse(part));
    items.push_back(item);
  }
  return items;
}

}  // namespace

absl::StatusOr<int32_t> ParseInt32(absl::string_view text) {
  int32_t number = 0;
  if (!absl::SimpleAtoi(text, &number)) return NotA(text, "a whole number");
  return number;
}

absl::StatusOr<v1::Mode> ParseMode(absl::string_view text) {
  if (text == "observe") return v1::MODE_OBSERVE;
  if (text == "enforce") return v1::MODE_ENFORCE;
  return NotA(text, "a mode: observe or enforce");
}

absl::StatusOr<v1::Pacing> ParsePacing(absl::string_view text) {
  if (text == "feedback") return v1::PACING_FEEDBACK;
  if (text == "none") return v1::PACING_NONE;
  return NotA(text, "a pacing: feedback or none");
}

absl::StatusOr<std::vector<int64_t>> ParseUids(absl::string_view text) {
  return ParseList<int64_t>(text, ParseUid);
}

std::string FormatUids(const std::vector<int64_t>& uids) {
  return uids.empty() ? std::string(kNone) : absl::StrJoin(uids, ",");
}

absl::StatusOr<std::vector<v1::UidRange>> ParseUidRanges(
    absl::string_view text) {
  return ParseList<v1::UidRange>(text, ParseUidRange);
}

std::string FormatUidRanges(const std::vector<v1::UidRange>& ranges) {
  if (ranges.empty()) return std::string(kNone);
  return absl::StrJoin(ranges, ",",
                       [](std::string* out, const v1::UidRange& range) {
                         absl::StrAppend(out, range.first());
                         if (range.last() != range.first()) {
                           absl::StrAppend(out, "-", range.last());
                         }
                       });
}

}  // namespace fairsched::client
