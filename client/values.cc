// SPDX-License-Identifier: Apache-2.0
#include "client/values.h"

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "agent/core/status_macros.h"
#include "client/time.h"
#include "client/units.h"

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

absl::StatusOr<v1::Steal> ParseSteal(absl::string_view text) {
  v1::Steal steal;
  if (text == "unlimited") {
    steal.mutable_unlimited();
    return steal;
  }
  const absl::StatusOr<absl::Duration> time = ParseDuration(text);
  if (!time.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", text, "' is no steal: a duration like 100ms, or unlimited"));
  }
  *steal.mutable_per_second() = ToProto(*time);
  return steal;
}

std::string FormatSteal(const v1::Steal& steal) {
  if (steal.has_unlimited()) return "unlimited";
  return absl::FormatDuration(FromProto(steal.per_second()));
}

absl::StatusOr<v1::Limit> ParseLimit(absl::string_view text) {
  v1::Limit limit;
  if (text == "entitlement") {
    limit.mutable_entitlement();
    return limit;
  }
  if (text == "none") {
    limit.mutable_none();
    return limit;
  }
  const absl::StatusOr<int64_t> millicpus = ParseMillicpus(text);
  if (!millicpus.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text,
                     "' is no limit: CPUs like 2.5cpu, 250% or 500m, "
                     "entitlement or none"));
  }
  limit.set_millicpus(*millicpus);
  return limit;
}

std::string FormatLimit(const v1::Limit& limit) {
  std::string text = limit.has_entitlement() ? "entitlement"
                     : limit.kind_case() == v1::Limit::kMillicpus
                         ? FormatMillicpus(limit.millicpus())
                         : "none";
  if (limit.has_burst()) {
    absl::StrAppend(&text, ", burst ",
                    absl::FormatDuration(FromProto(limit.burst())));
  }
  if (limit.has_steal())
    absl::StrAppend(&text, ", steal ", FormatSteal(limit.steal()));
  return text;
}

std::string FormatOverride(const v1::Override& override) {
  switch (override.kind_case()) {
    case v1::Override::kRestriction:
      return absl::StrCat("restricted to ",
                          FormatMillicpus(override.restriction().millicpus()));
    case v1::Override::kBoost:
      return absl::StrCat(override.boost().factor(), " times its shares");
    case v1::Override::kExempt:
      return "exempt";
    case v1::Override::KIND_NOT_SET:
      break;
  }
  return "?";
}

absl::StatusOr<absl::Duration> ParseInterval(absl::string_view text) {
  if (text == "auto") return absl::ZeroDuration();
  return ParseDuration(text);
}

absl::StatusOr<v1::AutoWindow> ParseAutoWindow(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(',', 1));
  const std::pair<absl::string_view, absl::string_view> range =
      absl::StrSplit(parts.first, absl::MaxSplits('-', 1));
  const auto min = ParseDuration(range.first);
  const auto max = ParseDuration(range.second);
  const auto quantum = ParseDuration(parts.second);
  const bool has_quantum = absl::StrContains(text, ",");
  if (!min.ok() || !max.ok() || (has_quantum && !quantum.ok())) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is not like 1s-10s or 1s-10s,500ms"));
  }
  v1::AutoWindow result;
  *result.mutable_min() = ToProto(*min);
  *result.mutable_max() = ToProto(*max);
  if (has_quantum) *result.mutable_quantum() = ToProto(*quantum);
  return result;
}

std::string FormatAutoWindow(const v1::AutoWindow& range) {
  return absl::StrCat(absl::FormatDuration(FromProto(range.min())), "-",
                      absl::FormatDuration(FromProto(range.max())), ",",
                      absl::FormatDuration(FromProto(range.quantum())));
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
