// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/proc_status.h"

#include <limits>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "agent/core/status_macros.h"

namespace fairsched::kernel {
namespace {

using Lines = absl::flat_hash_map<absl::string_view, absl::string_view>;

// The kernel's mark for "no uid", (uid_t)-1.
constexpr uint32_t kNoUid = std::numeric_limits<uint32_t>::max();

Lines LinesByKey(absl::string_view text) {
  Lines lines;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const size_t colon = line.find(':');
    if (colon == absl::string_view::npos) continue;
    lines.emplace(line.substr(0, colon), line.substr(colon + 1));
  }
  return lines;
}

absl::StatusOr<absl::string_view> Value(const Lines& lines,
                                        absl::string_view key) {
  const auto line = lines.find(key);
  if (line == lines.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("process status has no line '", key, ":'"));
  }
  return line->second;
}

// The first of the numbers in the line of `key`.
absl::StatusOr<int64_t> FirstNumber(const Lines& lines, absl::string_view key) {
  ASSIGN_OR_RETURN(const absl::string_view value, Value(lines, key));
  const absl::string_view first =
      *absl::StrSplit(absl::StripAsciiWhitespace(value), absl::ByAnyChar("\t "))
           .begin();
  uint32_t number = 0;
  if (!absl::SimpleAtoi(first, &number)) {
    return absl::InvalidArgumentError(
        absl::StrCat("process status: '", key, ":' is no number: '",
                     absl::CHexEscape(value), "'"));
  }
  return int64_t{number};
}

}  // namespace

absl::StatusOr<ProcStatus> ParseProcStatus(absl::string_view text) {
  const Lines lines = LinesByKey(text);
  ProcStatus status;
  ASSIGN_OR_RETURN(absl::string_view name, Value(lines, "Name"));
  // One tab separates; spaces after it are part of the name.
  if (!name.empty() && name.front() == '\t') name.remove_prefix(1);
  status.name = std::string(name);
  ASSIGN_OR_RETURN(absl::string_view state, Value(lines, "State"));
  state = absl::StripAsciiWhitespace(state);
  if (state.empty()) {
    return absl::InvalidArgumentError("process status: 'State:' is empty");
  }
  status.state = state.front();
  ASSIGN_OR_RETURN(status.tgid, FirstNumber(lines, "Tgid"));
  ASSIGN_OR_RETURN(status.ppid, FirstNumber(lines, "PPid"));
  ASSIGN_OR_RETURN(status.ruid, FirstNumber(lines, "Uid"));
  ASSIGN_OR_RETURN(status.threads, FirstNumber(lines, "Threads"));
  if (lines.contains("Kthread")) {
    ASSIGN_OR_RETURN(const int64_t kthread, FirstNumber(lines, "Kthread"));
    status.kthread = kthread != 0;
  }
  return status;
}

absl::StatusOr<std::optional<int64_t>> ParseLoginUid(absl::string_view text) {
  uint32_t uid = 0;
  if (!absl::SimpleAtoi(text, &uid)) {
    return absl::InvalidArgumentError(
        absl::StrCat("login uid is no number: '", absl::CHexEscape(text), "'"));
  }
  if (uid == kNoUid) return std::optional<int64_t>();
  return std::optional<int64_t>(uid);
}

}  // namespace fairsched::kernel
