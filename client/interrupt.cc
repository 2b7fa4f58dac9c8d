// SPDX-License-Identifier: Apache-2.0
#include "client/interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <ctime>

namespace fairsched::client {
namespace {

// Waits without end if `timeout` is null.
Wake Poll(int interrupt_fd, int input_fd, const timespec* timeout) {
  pollfd fds[] = {{.fd = interrupt_fd, .events = POLLIN, .revents = 0},
                  {.fd = input_fd, .events = POLLIN, .revents = 0}};
  // Signals that come here (a stopped process goes on, a new window size) ask
  // for a fresh look, as the end of the wait does: so nothing is retried.
  if (ppoll(fds, 2, timeout, nullptr) <= 0) return Wake::kTimeout;
  return fds[0].revents != 0 ? Wake::kInterrupt : Wake::kInput;
}

}  // namespace

Wake Wait(int interrupt_fd, int input_fd, absl::Duration timeout) {
  const timespec wait = absl::ToTimespec(timeout);
  return Poll(interrupt_fd, input_fd, &wait);
}

CancelOnInterrupt::CancelOnInterrupt(int interrupt_fd,
                                     grpc::ClientContext& context)
    : done_fd_(eventfd(0, EFD_CLOEXEC)),
      thread_([interrupt_fd, done_fd = done_fd_, &context] {
        while (Poll(interrupt_fd, done_fd, nullptr) == Wake::kTimeout) {
        }
        // Cancelling a call that is over has no effect.
        context.TryCancel();
      }) {}

CancelOnInterrupt::~CancelOnInterrupt() {
  eventfd_write(done_fd_, 1);
  thread_.join();
  close(done_fd_);
}

}  // namespace fairsched::client
