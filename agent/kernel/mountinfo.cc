// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/mountinfo.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/strings/str_split.h"
#include "agent/kernel/kernel_text.h"

namespace fairsched::kernel {
namespace {

// A blank, tab, newline or backslash in a path is "\" and three octal digits.
std::string Unescape(absl::string_view word) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string result;
  for (size_t i = 0; i < word.size(); ++i) {
    const absl::string_view digits = word.substr(i + 1, 3);
    if (word[i] == '\\' && digits.size() == 3 &&
        std::all_of(digits.begin(), digits.end(), is_octal)) {
      result += static_cast<char>((digits[0] - '0') * 64 +
                                  (digits[1] - '0') * 8 + (digits[2] - '0'));
      i += digits.size();
    } else {
      result += word[i];
    }
  }
  return result;
}

// ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [FIELD...] - TYPE SOURCE SUPER
std::optional<Mount> ParseLine(absl::string_view line) {
  constexpr size_t kRoot = 3;
  constexpr size_t kPoint = 4;
  constexpr size_t kFirstOptional = 6;
  const std::vector<absl::string_view> words = Words(line);
  if (words.size() < kFirstOptional) return std::nullopt;
  const auto dash = std::find(words.begin() + kFirstOptional, words.end(), "-");
  if (words.end() - dash < 4) return std::nullopt;
  return Mount{.root = Unescape(words[kRoot]),
               .point = Unescape(words[kPoint]),
               .type = std::string(dash[1]),
               .super_options = absl::StrSplit(dash[3], ',')};
}

}  // namespace

std::vector<Mount> ParseMountinfo(absl::string_view text) {
  std::vector<Mount> result;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (std::optional<Mount> mount = ParseLine(line))
      result.push_back(*std::move(mount));
  }
  return result;
}

}  // namespace fairsched::kernel
