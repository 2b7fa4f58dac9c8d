// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_UNIX_SOCKET_H_
#define FAIRSCHED_SERVER_UNIX_SOCKET_H_

#include <sys/types.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/unique_fd.h"

namespace fairsched::server {

// A listening unix socket in the file system, of mode 0600; non-blocking.
// Removes its file when it is destroyed, unless another one is there by then.
class UnixSocket {
 public:
  // Takes the place of a socket that nobody listens to any more.
  // InvalidArgument: the path is too long (over 107 bytes), or empty.
  // FailedPrecondition: something else is there. AlreadyExists: somebody
  // listens there. Else what errno says; the message has operation and path.
  static absl::StatusOr<UnixSocket> Listen(const std::string& path);

  UnixSocket(UnixSocket&&) = default;
  UnixSocket& operator=(UnixSocket&&) = delete;
  ~UnixSocket();

  int fd() const { return fd_.get(); }

 private:
  UnixSocket(UniqueFd fd, std::string path, ino_t inode);

  UniqueFd fd_;
  std::string path_;
  ino_t inode_;  // of the file
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_UNIX_SOCKET_H_
