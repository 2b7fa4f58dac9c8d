// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/real_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "agent/core/status_macros.h"
#include "agent/kernel/errno_status.h"

namespace fairsched::kernel {
namespace {

// Most files that we read are shorter: one read() gets them.
constexpr size_t kFirstReadBytes = 4096;

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor& operator=(Descriptor&&) = delete;

  int get() const { return fd_; }

 private:
  int fd_;
};

// `call` until no signal breaks in.
template <typename Call>
auto Retried(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

absl::StatusOr<Descriptor> OpenAs(const std::string& path, int flags) {
  const int fd =
      Retried([&] { return ::open(path.c_str(), flags | O_CLOEXEC); });
  if (fd < 0) return ErrnoStatus(errno, "open", path);
  return Descriptor(fd);
}

// A short read is not the end: cgroup.procs comes in pages.
absl::StatusOr<std::string> ReadAll(int fd, const std::string& path) {
  std::string data(kFirstReadBytes, '\0');
  size_t size = 0;
  while (size < kMaxFileBytes) {
    if (size == data.size())
      data.resize(std::min(2 * data.size(), kMaxFileBytes));
    const ssize_t got = Retried([&] {
      return ::pread(fd, data.data() + size, data.size() - size,
                     static_cast<off_t>(size));
    });
    if (got < 0) return ErrnoStatus(errno, "read", path);
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  data.resize(size);
  return data;
}

absl::Status WriteAll(int fd, const std::string& path, absl::string_view data) {
  const ssize_t put =
      Retried([&] { return ::pwrite(fd, data.data(), data.size(), 0); });
  // The rest would be another command, so half of one is an error.
  const int error = put < 0 ? errno : EIO;
  if (put >= 0 && static_cast<size_t>(put) == data.size())
    return absl::OkStatus();
  return ErrnoStatus(error, WriteOperation(data), path);
}

class RealFile final : public File {
 public:
  // `writable`: why it can't be written, if so.
  RealFile(std::string path, Descriptor fd, absl::Status writable)
      : path_(std::move(path)),
        fd_(std::move(fd)),
        writable_(std::move(writable)) {}

  absl::StatusOr<std::string> Read() override {
    return ReadAll(fd_.get(), path_);
  }
  absl::Status Write(absl::string_view data) override {
    RETURN_IF_ERROR(writable_);
    return WriteAll(fd_.get(), path_, data);
  }

 private:
  const std::string path_;
  const Descriptor fd_;
  const absl::Status writable_;
};

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

bool IsDirectory(int directory_fd, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat status {};
  return ::fstatat(directory_fd, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) ==
             0 &&
         S_ISDIR(status.st_mode);
}

}  // namespace

absl::StatusOr<std::unique_ptr<File>> RealFileSystem::Open(
    absl::string_view path) {
  const std::string name(path);
  absl::StatusOr<Descriptor> both = OpenAs(name, O_RDWR);
  if (both.ok()) {
    return std::make_unique<RealFile>(name, *std::move(both), absl::OkStatus());
  }
  if (!absl::IsPermissionDenied(both.status()) &&
      !absl::IsFailedPrecondition(both.status())) {
    return both.status();
  }
  ASSIGN_OR_RETURN(Descriptor reading, OpenAs(name, O_RDONLY));
  return std::make_unique<RealFile>(name, std::move(reading), both.status());
}

absl::StatusOr<std::string> RealFileSystem::Read(absl::string_view path) {
  const std::string name(path);
  ASSIGN_OR_RETURN(const Descriptor fd, OpenAs(name, O_RDONLY));
  return ReadAll(fd.get(), name);
}

absl::Status RealFileSystem::Write(absl::string_view path,
                                   absl::string_view data) {
  const std::string name(path);
  ASSIGN_OR_RETURN(const Descriptor fd, OpenAs(name, O_WRONLY));
  return WriteAll(fd.get(), name, data);
}

absl::StatusOr<std::vector<std::string>> RealFileSystem::ListDirectories(
    absl::string_view path) {
  const std::string name(path);
  const std::unique_ptr<DIR, CloseDirectory> directory(::opendir(name.c_str()));
  if (directory == nullptr) return ErrnoStatus(errno, "list", name);
  std::vector<std::string> result;
  errno = 0;
  while (const dirent* const entry = ::readdir(directory.get())) {
    const absl::string_view found(entry->d_name);
    if (found != "." && found != ".." &&
        IsDirectory(::dirfd(directory.get()), *entry)) {
      result.emplace_back(found);
    }
    errno = 0;
  }
  if (errno != 0) return ErrnoStatus(errno, "list", name);
  return result;
}

absl::Status RealFileSystem::MakeDirectory(absl::string_view path) {
  const std::string name(path);
  if (::mkdir(name.c_str(), 0755) == 0 || errno == EEXIST)
    return absl::OkStatus();
  return ErrnoStatus(errno, "mkdir", name);
}

absl::Status RealFileSystem::RemoveDirectory(absl::string_view path) {
  const std::string name(path);
  if (::rmdir(name.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return ErrnoStatus(errno, "rmdir", name);
}

absl::StatusOr<uint64_t> RealFileSystem::Inode(absl::string_view path) {
  const std::string name(path);
  struct stat status {};
  if (::stat(name.c_str(), &status) != 0)
    return ErrnoStatus(errno, "stat", name);
  return status.st_ino;
}

}  // namespace fairsched::kernel
