// SPDX-License-Identifier: Apache-2.0
#include "client/text.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace fairsched::client {
namespace {

unsigned char Byte(absl::string_view text, size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Bytes of the sequence that `lead` begins; 0 if it can't begin one.
size_t SequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

// The code point at `i`, whose sequence has `length` bytes; 0, which nobody
// may print either, if those are not UTF-8.
uint32_t CodePoint(absl::string_view text, size_t i, size_t length) {
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (length == 0 || i + length > text.size()) return 0;
  if (length == 1) return Byte(text, i);
  uint32_t code = Byte(text, i) & (0x7Fu >> length);
  for (size_t k = 1; k < length; ++k) {
    if ((Byte(text, i + k) & 0xC0) != 0x80) return 0;
    code = code << 6 | (Byte(text, i + k) & 0x3Fu);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code < kLeast[length] || code > 0x10FFFF || surrogate ? 0 : code;
}

bool IsPrintable(uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool line_end = code == 0x2028 || code == 0x2029;
  const bool direction = code == 0x061C || code == 0x200E || code == 0x200F ||
                         (code >= 0x202A && code <= 0x202E) ||
                         (code >= 0x2066 && code <= 0x2069);
  return !control && !line_end && !direction;
}

bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

std::string Sanitized(absl::string_view text) {
  std::string safe;
  size_t i = 0;
  while (i < text.size()) {
    const size_t length = SequenceLength(Byte(text, i));
    const uint32_t code = CodePoint(text, i, length);
    if (IsPrintable(code)) {
      absl::StrAppend(&safe, text.substr(i, length));
    } else {
      safe += '?';
    }
    // A byte that begins no sequence is skipped alone, so that what follows
    // it is still read right.
    i += code == 0 ? 1 : length;
  }
  return safe;
}

std::string SanitizedLines(absl::string_view text) {
  std::vector<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    lines.push_back(Sanitized(line));
  }
  return absl::StrJoin(lines, "\n");
}

size_t Width(absl::string_view text) {
  return text.size() - static_cast<size_t>(std::count_if(
                           text.begin(), text.end(), IsContinuation));
}

std::string Truncated(absl::string_view text, size_t width) {
  if (Width(text) <= width) return std::string(text);
  size_t end = 0;
  for (size_t kept = 0; kept + 1 < width; ++kept) {
    do {
      ++end;
    } while (IsContinuation(text[end]));
  }
  return absl::StrCat(text.substr(0, end), "~");
}

}  // namespace fairsched::client
