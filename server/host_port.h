// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_HOST_PORT_H_
#define FAIRSCHED_SERVER_HOST_PORT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fairsched::server {

struct HostPort {
  std::string host;  // without brackets: "127.0.0.1", "::1", "localhost"
  int port = 0;      // 0..65535; 0: any that is free
};

// Parses "127.0.0.1:9977" or "[::1]:9977". InvalidArgument for anything else,
// and for a host that is not loopback: whoever can connect can read.
absl::StatusOr<HostPort> ParseLoopback(absl::string_view address);

// The host of "host", "host:port", "[host]" or "[host]:port", in lower case.
std::string HostOf(absl::string_view host_and_port);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_HOST_PORT_H_
