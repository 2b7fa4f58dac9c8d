// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/fingerprint.h"

#include <cstdint>

#include "absl/strings/str_cat.h"

namespace fairsched::runtime {

std::string Fingerprint(absl::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  }
  return absl::StrCat(absl::Hex(hash, absl::kZeroPad16));
}

}  // namespace fairsched::runtime
