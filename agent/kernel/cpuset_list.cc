// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cpuset_list.h"

#include <limits>
#include <vector>

#include "absl/strings/str_split.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/kernel_text.h"

namespace fairsched::kernel {

absl::StatusOr<int64_t> CountCpus(absl::string_view text) {
  const std::vector<absl::string_view> words = Words(text);
  if (words.empty()) return 0;
  const absl::Status malformed =
      Malformed("the list of CPUs", text, "ranges in rising order");
  if (words.size() > 1) return malformed;
  int64_t count = 0;
  int64_t previous = -1;
  for (const absl::string_view range : absl::StrSplit(words[0], ',')) {
    const size_t dash = range.find('-');
    ASSIGN_OR_RETURN(const int64_t first,
                     ParseCount(range.substr(0, dash), "a CPU of a list"));
    int64_t last = first;
    if (dash != absl::string_view::npos) {
      ASSIGN_OR_RETURN(last,
                       ParseCount(range.substr(dash + 1), "a CPU of a list"));
    }
    if (first <= previous || last < first ||
        last > std::numeric_limits<int32_t>::max()) {
      return malformed;
    }
    count += last - first + 1;
    previous = last;
  }
  return count;
}

}  // namespace fairsched::kernel
