// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/pressure.h"

#include <cstdint>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/kernel_text.h"

namespace fairsched::kernel {

absl::StatusOr<core::CpuTime> ParsePressureSome(absl::string_view text) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> words = Words(line);
    if (words.empty() || words[0] != "some") continue;
    for (absl::string_view word : words) {
      if (!absl::ConsumePrefix(&word, "total=")) continue;
      ASSIGN_OR_RETURN(const int64_t usec,
                       ParseCount(word, "the total of cpu.pressure"));
      return core::CpuTime::Usec(usec);
    }
  }
  return Malformed("cpu.pressure", text, "'some ... total=$USEC'");
}

}  // namespace fairsched::kernel
