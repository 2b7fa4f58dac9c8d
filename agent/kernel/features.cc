// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/features.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace fairsched::kernel {

std::vector<std::string> FeaturesOf(
    FileSystem& fs, const std::vector<std::string>& directories) {
  std::vector<std::string> features;
  for (const char* const file :
       {"cpu.idle", "cpu.max", "cpu.max.burst", "cpu.cfs_quota_us",
        "cpu.cfs_burst_us", "cpu.pressure"}) {
    // Reading tells more than being there: PSI may be switched off.
    const bool has = std::any_of(
        directories.begin(), directories.end(), [&](const std::string& path) {
          return fs.Read(absl::StrCat(path, "/", file)).ok();
        });
    if (has) features.emplace_back(file);
  }
  return features;
}

}  // namespace fairsched::kernel
