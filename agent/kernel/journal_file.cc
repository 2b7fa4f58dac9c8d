// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/journal_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/errno_status.h"
#include "agent/kernel/journal_format.h"

namespace fairsched::kernel {
namespace {

constexpr mode_t kFileMode = 0600;
constexpr mode_t kDirectoryMode = 0700;

// A descriptor that closes with its scope.
class Fd {
 public:
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

// Root acts on what it reads here, so nobody else may have had a say.
absl::Status CheckOwner(int fd, const std::string& path) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return ErrnoStatus(errno, "stat", path);
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() ||
      (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "read ", path,
        ": not a plain file that only the user of this process can write"));
  }
  return absl::OkStatus();
}

absl::Status WriteOnce(int fd, const std::string& path,
                       absl::string_view data) {
  const ssize_t put = ::write(fd, data.data(), data.size());
  if (put >= 0 && static_cast<size_t>(put) == data.size())
    return absl::OkStatus();
  return ErrnoStatus(put < 0 ? errno : ENOSPC, "write", path);
}

absl::Status MakeParent(const std::string& path) {
  const std::string parent = path.substr(0, path.rfind('/'));
  if (parent.empty() || ::mkdir(parent.c_str(), kDirectoryMode) == 0 ||
      errno == EEXIST) {
    return absl::OkStatus();
  }
  return ErrnoStatus(errno, "mkdir", parent);
}

}  // namespace

absl::StatusOr<std::string> DiskJournalFile::Read() {
  // Not blocking: what stands there might be a pipe.
  const Fd fd(
      ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (fd.get() < 0) return ErrnoStatus(errno, "open", path_);
  RETURN_IF_ERROR(CheckOwner(fd.get(), path_));
  std::string text;
  char buffer[1 << 16];
  // One byte past the bound is enough for the parser to refuse it.
  while (text.size() <= kMaxJournalBytes) {
    const ssize_t got = ::read(fd.get(), buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoStatus(errno, "read", path_);
    if (got == 0) break;
    text.append(buffer, static_cast<size_t>(got));
  }
  return text;
}

absl::Status DiskJournalFile::Append(absl::string_view data) {
  const Fd fd(
      ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
  if (fd.get() < 0) return ErrnoStatus(errno, "open", path_);
  return WriteOnce(fd.get(), path_, data);
}

absl::Status DiskJournalFile::Replace(absl::string_view data) {
  RETURN_IF_ERROR(MakeParent(path_));
  const std::string next = path_ + ".new";
  // Whatever a predecessor left half done, or somebody put in the way.
  ::unlink(next.c_str());
  const Fd fd(::open(next.c_str(),
                     O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                     kFileMode));
  if (fd.get() < 0) return ErrnoStatus(errno, "create", next);
  RETURN_IF_ERROR(WriteOnce(fd.get(), next, data));
  if (::rename(next.c_str(), path_.c_str()) != 0)
    return ErrnoStatus(errno, "rename", next);
  return absl::OkStatus();
}

absl::Status DiskJournalFile::Remove() {
  if (::unlink(path_.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return ErrnoStatus(errno, "unlink", path_);
}

}  // namespace fairsched::kernel
