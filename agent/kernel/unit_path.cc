// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/unit_path.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace fairsched::kernel {

std::optional<int64_t> UidOfUserSlice(absl::string_view name) {
  absl::string_view digits = name;
  uint32_t uid = 0;
  if (!absl::ConsumePrefix(&digits, "user-") ||
      !absl::ConsumeSuffix(&digits, ".slice") ||
      !absl::SimpleAtoi(digits, &uid) || digits != absl::StrCat(uid)) {
    return std::nullopt;
  }
  return int64_t{uid};
}

}  // namespace fairsched::kernel
