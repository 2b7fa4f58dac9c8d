// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_procs.h"

#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "agent/core/status_macros.h"

namespace fairsched::kernel {

absl::StatusOr<absl::flat_hash_set<int64_t>> ReadCgroupProcs(
    FileSystem& fs, absl::string_view cgroup) {
  ASSIGN_OR_RETURN(std::string text,
                   fs.Read(absl::StrCat(cgroup, "/cgroup.procs")));
  // A file longer than what is read of one ends in the middle of a number.
  text.resize(text.rfind('\n') + 1);
  absl::flat_hash_set<int64_t> pids;
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    int64_t pid = 0;
    if (absl::SimpleAtoi(line, &pid) && pid > 0) pids.insert(pid);
  }
  return pids;
}

std::optional<int64_t> CountProcesses(FileSystem& fs, std::string cgroup) {
  int64_t count = 0;
  std::vector<std::string> left = {std::move(cgroup)};
  for (size_t seen = 0; !left.empty(); ++seen) {
    if (seen == kMaxCountedCgroups) return std::nullopt;
    const std::string directory = std::move(left.back());
    left.pop_back();
    const auto pids = ReadCgroupProcs(fs, directory);
    if (pids.ok()) {
      count += static_cast<int64_t>(pids->size());
    } else if (absl::IsNotFound(pids.status())) {
      continue;
    } else if (!absl::IsUnimplemented(pids.status())) {
      return std::nullopt;
    }
    const auto names = fs.ListDirectories(directory);
    if (absl::IsNotFound(names.status())) continue;
    if (!names.ok()) return std::nullopt;
    for (const std::string& name : *names)
      left.push_back(absl::StrCat(directory, "/", name));
  }
  return count;
}

}  // namespace fairsched::kernel
