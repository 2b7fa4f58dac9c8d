// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/kernel_text.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace fairsched::kernel {

namespace {

constexpr absl::string_view kSeparators(" \t\r\n\0", 5);

}  // namespace

std::vector<absl::string_view> Words(absl::string_view text) {
  return absl::StrSplit(text, absl::ByAnyChar(kSeparators), absl::SkipEmpty());
}

absl::string_view FirstWord(absl::string_view text) {
  const size_t begin =
      std::min(text.find_first_not_of(kSeparators), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_of(kSeparators));
}

absl::StatusOr<int64_t> ParseCount(absl::string_view word,
                                   absl::string_view what) {
  int64_t value = 0;
  if (!absl::SimpleAtoi(word, &value) || value < 0)
    return Malformed(what, word, "a number");
  return value;
}

absl::Status Malformed(absl::string_view file, absl::string_view text,
                       absl::string_view form) {
  constexpr size_t kShown = 64;
  return absl::InvalidArgumentError(
      absl::StrCat(file, " is '", absl::CHexEscape(text.substr(0, kShown)),
                   text.size() > kShown ? "...', not " : "', not ", form));
}

}  // namespace fairsched::kernel
