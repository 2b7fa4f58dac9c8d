// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_glob.h"

#include <cstddef>
#include <optional>

namespace fairsched::kernel {

bool MatchesGlob(absl::string_view pattern, absl::string_view name) {
  size_t p = 0;
  size_t n = 0;
  // Where to go on when what follows the last '*' turns out not to match: it
  // then takes one byte more. Earlier ones need not be tried again.
  std::optional<size_t> after_star;
  size_t taken_to = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      taken_to = n;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (after_star.has_value()) {
      p = *after_star;
      n = ++taken_to;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace fairsched::kernel
