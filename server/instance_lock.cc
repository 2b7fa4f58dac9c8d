// SPDX-License-Identifier: Apache-2.0
#include "server/instance_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace fairsched::server {
namespace {

constexpr mode_t kMode = 0644;

// The pid that the holder wrote, for the message only.
std::string ReadPid(int fd) {
  std::array<char, 32> text;
  const ssize_t size = pread(fd, text.data(), text.size(), 0);
  if (size <= 0) return "unknown";
  return std::string(absl::StripAsciiWhitespace(
      absl::string_view(text.data(), static_cast<size_t>(size))));
}

}  // namespace

absl::StatusOr<InstanceLock> InstanceLock::Take(const std::string& path) {
  UniqueFd file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode));
  if (!file.valid())
    return absl::ErrnoToStatus(errno, absl::StrCat("open ", path));
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK)
      return absl::ErrnoToStatus(errno, absl::StrCat("lock ", path));
    return absl::FailedPreconditionError(
        absl::StrCat("another fairschedd works on this node: process ",
                     ReadPid(file.get()), " holds ", path));
  }
  const std::string pid = absl::StrCat(getpid(), "\n");
  if (ftruncate(file.get(), 0) != 0 ||
      pwrite(file.get(), pid.data(), pid.size(), 0) !=
          static_cast<ssize_t>(pid.size())) {
    return absl::ErrnoToStatus(errno, absl::StrCat("write ", path));
  }
  return InstanceLock(std::move(file));
}

}  // namespace fairsched::server
