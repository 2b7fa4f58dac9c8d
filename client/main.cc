// SPDX-License-Identifier: Apache-2.0
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "client/connection.h"
#include "client/environment.h"
#include "client/fairctl.h"

namespace fairsched::client {
namespace {

std::string Variable(const char* name) {
  // No other thread runs yet, and none of ours ever changes the environment.
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

TerminalSize SizeOfOutput() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return {};
  return {.columns = size.ws_col, .lines = size.ws_row};
}

// Threads inherit the mask, so the signals come by the descriptor and by no
// other way only if no thread was started before.
int OpenInterrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&signals, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int Main(int argc, char** argv) {
  const bool is_terminal = isatty(STDOUT_FILENO) != 0;
  // gRPC's own log lines are for its authors; errors come as statuses.
  setenv("GRPC_VERBOSITY", "NONE", 0);  // NOLINT(concurrency-mt-unsafe)
  Environment environment{
      .out = std::cout,
      .err = std::cerr,
      .address_variable = Variable("FAIRSCHED_ADDRESS"),
      .is_terminal = is_terminal,
      .colour = is_terminal && Variable("NO_COLOR").empty() &&
                Variable("TERM") != "dumb",
      .terminal_size = SizeOfOutput,
      .input_fd = isatty(STDIN_FILENO) != 0 ? STDIN_FILENO : -1,
      .zone = absl::LocalTimeZone(),
      .connect = Dial,
      .open_interrupt = OpenInterrupt,
  };
  return static_cast<int>(
      RunFairctl(std::vector<std::string>(argv + 1, argv + argc), environment));
}

}  // namespace
}  // namespace fairsched::client

int main(int argc, char** argv) { return fairsched::client::Main(argc, argv); }
