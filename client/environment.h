// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_ENVIRONMENT_H_
#define FAIRSCHED_CLIENT_ENVIRONMENT_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "absl/time/time.h"
#include "grpcpp/grpcpp.h"

namespace fairsched::client {

// Size of a terminal in characters; 0 if the output is not one.
struct TerminalSize {
  size_t columns = 0;
  size_t lines = 0;
};

// What fairctl has from the process that it runs in.
struct Environment {
  std::ostream& out;
  std::ostream& err;
  std::string address_variable;  // $FAIRSCHED_ADDRESS; empty: not set
  bool is_terminal = false;      // `out` is one
  bool colour = false;           // `out` may have colours
  std::function<TerminalSize()> terminal_size;
  int input_fd = -1;    // that keys come from; -1: no terminal
  absl::TimeZone zone;  // that times of day are shown in

  // Makes the channel to an address.
  std::function<std::shared_ptr<grpc::Channel>(const std::string&)> connect;

  // A file descriptor, owned by the environment, that becomes readable when
  // the person wants the command to end. From the call on, Ctrl-C does that
  // and no more; it must precede the first use of `connect`.
  std::function<int()> open_interrupt;
};

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_ENVIRONMENT_H_
