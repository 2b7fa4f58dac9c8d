// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/errno_status.h"

#include <string.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace fairsched::kernel {
namespace {

absl::StatusCode CodeOfErrno(int error) {
  switch (error) {
    // A kept file says ENODEV once its cgroup is gone, a kept /proc file ESRCH.
    case ENOENT:
    case ENODEV:
    case ESRCH:
      return absl::StatusCode::kNotFound;
    case EACCES:
    case EPERM:
      return absl::StatusCode::kPermissionDenied;
    case EROFS:
      return absl::StatusCode::kFailedPrecondition;
    case EINVAL:
    case ERANGE:
      return absl::StatusCode::kInvalidArgument;
    case EBUSY:
    case EAGAIN:
    case EINTR:
      return absl::StatusCode::kUnavailable;
    case EOPNOTSUPP:
      return absl::StatusCode::kUnimplemented;
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case ENOMEM:
      return absl::StatusCode::kResourceExhausted;
    default:
      return absl::StatusCode::kInternal;
  }
}

// "EINVAL"; a number for what the C library has no name for.
std::string NameOfErrno(int error) {
  const char* const name = ::strerrorname_np(error);
  return name != nullptr ? name : absl::StrCat("errno ", error);
}

}  // namespace

absl::Status ErrnoStatus(int error, absl::string_view operation,
                         absl::string_view path) {
  return absl::Status(CodeOfErrno(error),
                      absl::StrCat(operation, " ", path, ": ",
                                   std::generic_category().message(error), " (",
                                   NameOfErrno(error), ")"));
}

std::string WriteOperation(absl::string_view data) {
  constexpr size_t kShown = 32;
  return absl::StrCat("write '", absl::CHexEscape(data.substr(0, kShown)),
                      data.size() > kShown ? "...' to" : "' to");
}

}  // namespace fairsched::kernel
