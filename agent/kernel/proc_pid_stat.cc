// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/proc_pid_stat.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace fairsched::kernel {
namespace {

// Fields after the comm, counted from 0, as proc(5) has them less 3.
constexpr size_t kPpid = 1;
constexpr size_t kUtime = 11;
constexpr size_t kStime = 12;
constexpr size_t kStartTime = 19;

bool Ticks(absl::string_view field, int64_t* ticks) {
  return absl::SimpleAtoi(field, ticks) && *ticks >= 0;
}

}  // namespace

absl::StatusOr<ProcPidStat> ParseProcPidStat(absl::string_view text) {
  const auto bad = [text] {
    return absl::InvalidArgumentError(
        absl::StrCat("process stat is not 'PID (COMM) STATE PPID ...': '",
                     absl::CHexEscape(text), "'"));
  };
  // Only the last ')' can't be part of the comm: all that follows are numbers.
  const size_t open = text.find('(');
  const size_t close = text.rfind(')');
  if (open == absl::string_view::npos || close == absl::string_view::npos ||
      close < open) {
    return bad();
  }
  const std::vector<absl::string_view> fields = absl::StrSplit(
      text.substr(close + 1), absl::ByAnyChar(" \n"), absl::SkipEmpty());
  ProcPidStat stat;
  stat.comm = std::string(text.substr(open + 1, close - open - 1));
  if (fields.size() <= kStartTime || !Ticks(fields[kPpid], &stat.ppid) ||
      !Ticks(fields[kUtime], &stat.utime_ticks) ||
      !Ticks(fields[kStime], &stat.stime_ticks) ||
      !Ticks(fields[kStartTime], &stat.start_ticks)) {
    return bad();
  }
  return stat;
}

}  // namespace fairsched::kernel
