// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_API_LISTENER_H_
#define FAIRSCHED_SERVER_API_LISTENER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "server/live_connections.h"
#include "server/unique_fd.h"
#include "server/unix_socket.h"

namespace fairsched::server {

// Accepts the API's connections on a unix socket, in a thread of its own, and
// gives them away. gRPC's own listener would die of the first EMFILE; this one
// refuses a connection that is one too many and goes on.
class ApiListener {
 public:
  // Gets each connection, non-blocking, and closes it in the end.
  using OnConnection = std::function<void(int fd)>;

  struct Options {
    std::string path;
    size_t max_connections = 256;  // open at once; further ones are closed
  };
  // Errors: see UnixSocket::Listen().
  static absl::StatusOr<std::unique_ptr<ApiListener>> Start(
      Options options, OnConnection on_connection);

  ~ApiListener();  // calls Stop()
  ApiListener(const ApiListener&) = delete;
  ApiListener& operator=(const ApiListener&) = delete;

  // Accepts no more, and removes the socket's file. Connections stay open.
  // Idempotent; from one thread at a time.
  void Stop();
  // Connections that were closed at once, since start. Thread-safe.
  int64_t refused() const { return refused_; }

 private:
  ApiListener(Options options, OnConnection on_connection, UnixSocket socket,
              UniqueFd stop);
  void Run();
  // Accepts one connection. False: there is none, or it has to wait.
  bool AcceptOne();
  // Closes a connection for which there was no descriptor.
  void RefuseOne();
  // True: it is time to stop.
  bool WaitForConnection();
  bool WaitForRelief();

  const Options options_;
  const OnConnection on_connection_;
  UnixSocket socket_;
  UniqueFd stop_;   // an eventfd
  UniqueFd spare_;  // closed to make room for RefuseOne()
  LiveConnections live_;
  std::atomic<int64_t> refused_ = 0;
  bool exhausted_ = false;  // the last accept failed for want of something
  std::thread thread_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_API_LISTENER_H_
