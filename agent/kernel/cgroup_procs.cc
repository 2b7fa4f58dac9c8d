// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_procs.h"

#include <string>

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

}  // namespace fairsched::kernel
