// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_TEXT_H_
#define FAIRSCHED_SERVER_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace fairsched::server {

// Whether `text` is valid UTF-8 without control characters (Unicode's category
// Cc: below U+0020, and U+007F..U+009F).
bool IsPlainText(absl::string_view text);

// `text` for people's eyes: control characters and what is not UTF-8 as "\xNN",
// and cut to at most `max_bytes` (>= 3), with "..." for the rest.
std::string Printable(absl::string_view text, size_t max_bytes);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_TEXT_H_
