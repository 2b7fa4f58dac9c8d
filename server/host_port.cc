// SPDX-License-Identifier: Apache-2.0
#include "server/host_port.h"

#include <arpa/inet.h>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "server/text.h"

namespace fairsched::server {
namespace {

constexpr int kMaxPort = 65535;
constexpr size_t kShownBytes = 80;

bool IsLoopback(const std::string& host) {
  in_addr address = {};
  if (inet_pton(AF_INET, host.c_str(), &address) == 1) {
    return ntohl(address.s_addr) >> 24 == 127;
  }
  return host == "localhost" || host == "::1";
}

// Where the host ends: behind the bracket, or before the colon.
size_t HostEnd(absl::string_view text) {
  if (absl::StartsWith(text, "[")) {
    const size_t bracket = text.find(']');
    return bracket == absl::string_view::npos ? text.size() : bracket + 1;
  }
  return std::min(text.find(':'), text.size());
}

}  // namespace

std::string HostOf(absl::string_view host_and_port) {
  absl::string_view host = host_and_port.substr(0, HostEnd(host_and_port));
  if (absl::StartsWith(host, "[") && absl::EndsWith(host, "]")) {
    host = host.substr(1, host.size() - 2);
  }
  return absl::AsciiStrToLower(host);
}

absl::StatusOr<HostPort> ParseLoopback(absl::string_view address) {
  const absl::string_view port = address.substr(HostEnd(address));
  HostPort parsed = {.host = HostOf(address)};
  const bool is_address =
      port.size() > 1 && port[0] == ':' &&
      absl::ascii_isdigit(static_cast<unsigned char>(port[1])) &&
      absl::SimpleAtoi(port.substr(1), &parsed.port) && parsed.port <= kMaxPort;
  if (!is_address) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", Printable(address, kShownBytes),
                     "' is not address:port, as in 127.0.0.1:9977"));
  }
  if (!IsLoopback(parsed.host)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", Printable(parsed.host, kShownBytes),
                     "' is not a loopback address: 127.0.0.1, [::1] or "
                     "localhost"));
  }
  return parsed;
}

}  // namespace fairsched::server
