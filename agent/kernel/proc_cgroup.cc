// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/proc_cgroup.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "agent/core/status_macros.h"

namespace fairsched::kernel {
namespace {

absl::StatusOr<ProcCgroup> ParseLine(absl::string_view line) {
  const std::vector<absl::string_view> parts =
      absl::StrSplit(line, absl::MaxSplits(':', 2));
  ProcCgroup cgroup;
  if (parts.size() != 3 || !absl::SimpleAtoi(parts[0], &cgroup.hierarchy) ||
      cgroup.hierarchy < 0 || !absl::StartsWith(parts[2], "/")) {
    return absl::InvalidArgumentError(
        absl::StrCat("process cgroup is not 'ID:CONTROLLERS:/PATH': '",
                     absl::CHexEscape(line), "'"));
  }
  cgroup.controllers = absl::StrSplit(parts[1], ',', absl::SkipEmpty());
  cgroup.path = std::string(parts[2]);
  return cgroup;
}

}  // namespace

bool LooksDeleted(absl::string_view path) {
  return absl::EndsWith(path, " (deleted)");
}

bool IsOutside(absl::string_view path) {
  return path == "/.." || absl::StartsWith(path, "/../");
}

absl::StatusOr<std::vector<ProcCgroup>> ParseProcCgroup(
    absl::string_view text) {
  std::vector<ProcCgroup> lines;
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    ASSIGN_OR_RETURN(ProcCgroup cgroup, ParseLine(line));
    lines.push_back(std::move(cgroup));
  }
  return lines;
}

std::optional<std::string> PathIn(const std::vector<ProcCgroup>& lines,
                                  absl::string_view controller) {
  for (const ProcCgroup& line : lines) {
    const bool found =
        controller.empty()
            ? line.hierarchy == 0
            : std::find(line.controllers.begin(), line.controllers.end(),
                        controller) != line.controllers.end();
    if (found) return line.path;
  }
  return std::nullopt;
}

}  // namespace fairsched::kernel
