// SPDX-License-Identifier: Apache-2.0
#include "agent/core/expand.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"

namespace fairsched::core {

std::string ExpandedId(absl::string_view base, absl::string_view match) {
  uint32_t hash = 0x811c9dc5;  // FNV-1a
  for (const char c : match)
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x01000193;
  return absl::StrCat(base, "-", absl::Hex(hash, absl::kZeroPad8));
}

std::optional<std::string> BaseOfExpanded(absl::string_view id) {
  if (id.size() <= kExpandedBytes) return std::nullopt;
  const absl::string_view digits = id.substr(id.size() - kExpandedBytes + 1);
  const bool is_hex = std::ranges::all_of(digits, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
  if (!is_hex || id[id.size() - kExpandedBytes] != '-') return std::nullopt;
  return std::string(id.substr(0, id.size() - kExpandedBytes));
}

}  // namespace fairsched::core
