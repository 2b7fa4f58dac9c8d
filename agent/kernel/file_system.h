// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_FILE_SYSTEM_H_
#define FAIRSCHED_AGENT_KERNEL_FILE_SYSTEM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// The most that is read of one file; what is longer is cut there. No file that
// we read is near it but cgroup.procs, where a scan sees the rest next time.
inline constexpr size_t kMaxFileBytes = 4 << 20;

// One file kept open. Not thread-safe; distinct files are independent.
class File {
 public:
  virtual ~File() = default;
  // The whole contents, read from the start again.
  virtual absl::StatusOr<std::string> Read() = 0;
  // `data` in one write() at the start: one command, as the kernel has it.
  virtual absl::Status Write(absl::string_view data) = 0;
};

// What the agent needs of /sys/fs/cgroup and /proc, and no more. Paths are
// absolute.
//
// Codes, of every call: NotFound: the file, or the cgroup that it is in, is
// gone (ENOENT, ENODEV, ESRCH): a normal event. PermissionDenied: EACCES,
// EPERM. FailedPrecondition: EROFS. InvalidArgument: the kernel refuses the
// value (EINVAL, ERANGE). Unavailable: try again (EBUSY, EAGAIN, EINTR).
// Unimplemented: EOPNOTSUPP. ResourceExhausted: EMFILE, ENFILE, ENOSPC,
// ENOMEM. Internal: anything else. The message has operation, path and errno.
//
// Thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // Opens for reading and, where its mode allows, writing.
  virtual absl::StatusOr<std::unique_ptr<File>> Open(
      absl::string_view path) = 0;
  // Open, one Read() or Write(), close.
  virtual absl::StatusOr<std::string> Read(absl::string_view path) = 0;
  virtual absl::Status Write(absl::string_view path,
                             absl::string_view data) = 0;

  // The names of the directories in `path`, in no order.
  virtual absl::StatusOr<std::vector<std::string>> ListDirectories(
      absl::string_view path) = 0;
  // OK if it is there already.
  virtual absl::Status MakeDirectory(absl::string_view path) = 0;
  // Removes one empty cgroup. OK if it is gone already. Unavailable while it
  // has processes or children.
  virtual absl::Status RemoveDirectory(absl::string_view path) = 0;
  // The inode number of a file or directory.
  virtual absl::StatusOr<uint64_t> Inode(absl::string_view path) = 0;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_FILE_SYSTEM_H_
