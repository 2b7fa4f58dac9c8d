// SPDX-License-Identifier: Apache-2.0
#include "server/text.h"

#include <cstdint>

#include "absl/strings/str_cat.h"

namespace fairsched::server {
namespace {

struct Character {
  size_t bytes = 0;  // 0: no UTF-8
  uint32_t code_point = 0;
};

uint8_t Byte(absl::string_view text, size_t i) {
  return static_cast<uint8_t>(text[i]);
}

// The first character of `text`, which is not empty.
Character FirstOf(absl::string_view text) {
  const uint8_t lead = Byte(text, 0);
  if (lead < 0x80) return {.bytes = 1, .code_point = lead};
  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  uint32_t code_point = lead & (0x7Fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((Byte(text, i) & 0xC0) != 0x80) return {};
    code_point = code_point << 6 | (Byte(text, i) & 0x3Fu);
  }
  // Longer than it needs to be, half of a surrogate pair, beyond Unicode.
  const bool overlong = (bytes == 3 && code_point < 0x800) ||
                        (bytes == 4 && code_point < 0x10000);
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (overlong || surrogate || code_point > 0x10FFFF) return {};
  return {.bytes = bytes, .code_point = code_point};
}

bool IsPlain(const Character& c) {
  const bool control =
      c.code_point < 0x20 || (c.code_point >= 0x7F && c.code_point < 0xA0);
  return c.bytes > 0 && !control;
}

}  // namespace

bool IsPlainText(absl::string_view text) {
  while (!text.empty()) {
    const Character c = FirstOf(text);
    if (!IsPlain(c)) return false;
    text.remove_prefix(c.bytes);
  }
  return true;
}

std::string Printable(absl::string_view text, size_t max_bytes) {
  constexpr absl::string_view kRest = "...";
  std::string out;
  size_t cut = 0;  // the longest part that leaves room for kRest
  while (!text.empty()) {
    const Character c = FirstOf(text);
    const size_t bytes = c.bytes > 0 ? c.bytes : 1;
    if (IsPlain(c)) {
      absl::StrAppend(&out, text.substr(0, bytes));
    } else {
      for (size_t i = 0; i < bytes; ++i) {
        absl::StrAppend(&out, "\\x", absl::Hex(Byte(text, i), absl::kZeroPad2));
      }
    }
    text.remove_prefix(bytes);
    if (out.size() + kRest.size() <= max_bytes) cut = out.size();
    if (out.size() > max_bytes) {
      out.resize(cut);
      absl::StrAppend(&out, kRest);
      return out;
    }
  }
  return out;
}

}  // namespace fairsched::server
