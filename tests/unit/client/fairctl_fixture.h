// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_UNIT_CLIENT_FAIRCTL_FIXTURE_H_
#define FAIRSCHED_TESTS_UNIT_CLIENT_FAIRCTL_FIXTURE_H_

#include <sys/eventfd.h>
#include <unistd.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "client/fairctl.h"
#include "gtest/gtest.h"
#include "tests/unit/client/fake_daemon.h"

namespace fairsched::client {

// fairctl in this process, against a FakeDaemon, without a terminal.
class FairctlTest : public ::testing::Test {
 protected:
  ~FairctlTest() override { close(interrupt_fd_); }

  ExitCode Run(std::vector<std::string> arguments) {
    out_.str("");
    err_.str("");
    return RunFairctl(std::move(arguments), environment_);
  }

  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }

  // As if Ctrl-C were pressed, from the next wait on.
  void Interrupt() { eventfd_write(interrupt_fd_, 1); }

  FakeDaemon daemon_;
  std::string dialled_;  // the address that was used; empty: none
  TerminalSize terminal_size_;

 private:
  const int interrupt_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::ostringstream out_;
  std::ostringstream err_;

 protected:
  Environment environment_{
      .out = out_,
      .err = err_,
      .address_variable = "",
      .is_terminal = false,
      .colour = false,
      .terminal_size = [this] { return terminal_size_; },
      .input_fd = -1,
      .zone = absl::UTCTimeZone(),
      .connect =
          [this](const std::string& address) {
            dialled_ = address;
            return daemon_.Channel();
          },
      .open_interrupt = [this] { return interrupt_fd_; },
  };
};

}  // namespace fairsched::client

#endif  // FAIRSCHED_TESTS_UNIT_CLIENT_FAIRCTL_FIXTURE_H_
