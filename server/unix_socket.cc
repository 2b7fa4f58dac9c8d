// SPDX-License-Identifier: Apache-2.0
#include "server/unix_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"

namespace fairsched::server {
namespace {

constexpr int kBacklog = 64;
constexpr mode_t kMode = 0600;

absl::Status Failed(absl::string_view operation, const std::string& path) {
  return absl::ErrnoToStatus(errno, absl::StrCat(operation, " ", path));
}

// The socket calls want the general address type, which C++ can only call by
// another name.
const sockaddr* General(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

absl::StatusOr<sockaddr_un> Address(const std::string& path) {
  sockaddr_un address = {};
  constexpr size_t kMaxBytes = sizeof(address.sun_path) - 1;
  if (path.empty() || path.size() > kMaxBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("socket path '", path, "' has ", path.size(),
                     " bytes, not 1..", kMaxBytes));
  }
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

absl::StatusOr<UniqueFd> NewSocket(const std::string& path) {
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return Failed("make a socket for", path);
  return fd;
}

// Removes what an earlier daemon left at `path`.
absl::Status RemoveStale(const std::string& path, const sockaddr_un& address) {
  struct stat file = {};
  if (lstat(path.c_str(), &file) != 0) {
    return errno == ENOENT ? absl::OkStatus() : Failed("look at", path);
  }
  if (!S_ISSOCK(file.st_mode)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "listen on ", path, ": a file that is no socket is there"));
  }
  ASSIGN_OR_RETURN(const UniqueFd probe, NewSocket(path));
  // Anything but "refused" may be a live daemon, EAGAIN one with a full queue.
  if (connect(probe.get(), General(address), sizeof(address)) == 0 ||
      errno != ECONNREFUSED) {
    return absl::AlreadyExistsError(absl::StrCat(
        "listen on ", path, ": another process listens there already"));
  }
  if (unlink(path.c_str()) != 0 && errno != ENOENT) {
    return Failed("remove the stale socket", path);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<UnixSocket> UnixSocket::Listen(const std::string& path) {
  ASSIGN_OR_RETURN(const sockaddr_un address, Address(path));
  RETURN_IF_ERROR(RemoveStale(path, address));
  ASSIGN_OR_RETURN(UniqueFd fd, NewSocket(path));
  // bind() makes the file with the mode of the socket: there is no moment in
  // which others may connect.
  if (fchmod(fd.get(), kMode) != 0) return Failed("set the mode of", path);
  if (bind(fd.get(), General(address), sizeof(address)) != 0) {
    return Failed("bind", path);
  }
  struct stat file = {};
  if (lstat(path.c_str(), &file) != 0) return Failed("look at", path);
  UnixSocket made(std::move(fd), path, file.st_ino);
  if (listen(made.fd(), kBacklog) != 0) return Failed("listen on", path);
  return made;
}

UnixSocket::UnixSocket(UniqueFd fd, std::string path, ino_t inode)
    : fd_(std::move(fd)), path_(std::move(path)), inode_(inode) {}

UnixSocket::~UnixSocket() {
  if (!fd_.valid()) return;
  struct stat file = {};
  if (lstat(path_.c_str(), &file) == 0 && file.st_ino == inode_) {
    unlink(path_.c_str());
  }
}

}  // namespace fairsched::server
