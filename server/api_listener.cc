// SPDX-License-Identifier: Apache-2.0
#include "server/api_listener.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "absl/status/status.h"
#include "agent/core/status_macros.h"

namespace fairsched::server {
namespace {

// After an accept that failed for want of memory or descriptors.
constexpr int kReliefMsec = 100;

UniqueFd OpenSpare() {
  return UniqueFd(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

int Accept(int listener) {
  return accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ApiListener>> ApiListener::Start(
    Options options, OnConnection on_connection) {
  ASSIGN_OR_RETURN(UnixSocket socket, UnixSocket::Listen(options.path));
  UniqueFd stop(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop.valid()) {
    return absl::ErrnoToStatus(errno, "make an eventfd to stop listening");
  }
  std::unique_ptr<ApiListener> listener(
      new ApiListener(std::move(options), std::move(on_connection),
                      std::move(socket), std::move(stop)));
  listener->thread_ = std::thread([raw = listener.get()] { raw->Run(); });
  return listener;
}

ApiListener::ApiListener(Options options, OnConnection on_connection,
                         UnixSocket socket, UniqueFd stop)
    : options_(std::move(options)),
      on_connection_(std::move(on_connection)),
      socket_(std::move(socket)),
      stop_(std::move(stop)),
      spare_(OpenSpare()) {}

ApiListener::~ApiListener() { Stop(); }

void ApiListener::Stop() {
  if (!thread_.joinable()) return;
  // Can't fail: the counter of the eventfd is far from its end.
  eventfd_write(stop_.get(), 1);
  thread_.join();
  const UnixSocket closed = std::move(socket_);
}

void ApiListener::Run() {
  bool stopped = false;
  while (!stopped) {
    stopped = exhausted_ ? WaitForRelief() : WaitForConnection();
    exhausted_ = false;
    while (!stopped && AcceptOne()) {
    }
  }
}

bool ApiListener::WaitForConnection() {
  pollfd polled[] = {{.fd = socket_.fd(), .events = POLLIN, .revents = 0},
                     {.fd = stop_.get(), .events = POLLIN, .revents = 0}};
  poll(polled, 2, -1);
  return polled[1].revents != 0;
}

bool ApiListener::WaitForRelief() {
  pollfd polled = {.fd = stop_.get(), .events = POLLIN, .revents = 0};
  poll(&polled, 1, kReliefMsec);
  return polled.revents != 0;
}

bool ApiListener::AcceptOne() {
  UniqueFd connection(Accept(socket_.fd()));
  if (!connection.valid()) {
    const int error = errno;
    if (error == EMFILE || error == ENFILE) RefuseOne();
    // A peer that has left again, or a signal, is no reason to wait.
    const bool passing = error == ECONNABORTED || error == EINTR;
    exhausted_ = !passing && error != EAGAIN;
    return passing;
  }
  if (live_.Count() >= options_.max_connections) {
    ++refused_;
    return true;
  }
  live_.Add(connection.get());
  on_connection_(connection.Release());
  return true;
}

void ApiListener::RefuseOne() {
  spare_.Close();
  UniqueFd connection(Accept(socket_.fd()));
  if (connection.valid()) ++refused_;
  // Before the spare is opened again: this is the room for it.
  connection.Close();
  spare_ = OpenSpare();
}

}  // namespace fairsched::server
