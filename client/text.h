// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_TEXT_H_
#define FAIRSCHED_CLIENT_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace fairsched::client {

// Text that came from outside, made safe to print: each control character
// (C0, DEL, C1), each mark that changes the direction of writing and each byte
// that is not UTF-8 becomes '?'. No terminal is driven by a name.
std::string Sanitized(absl::string_view text);

// The same, but newlines stay: for messages of several lines.
std::string SanitizedLines(absl::string_view text);

// Columns that sanitised `text` takes, one for each code point.
size_t Width(absl::string_view text);

// `text` itself, or its beginning with "~" in the place of the rest, so that
// Width() is at most `width`, which is at least 1.
std::string Truncated(absl::string_view text, size_t width);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_TEXT_H_
