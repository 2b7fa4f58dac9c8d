// SPDX-License-Identifier: Apache-2.0
#include "server/login_lookup.h"

#include <pwd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace fairsched::server {
namespace {

// getpwnam_r(3): what name services say instead of "there is none".
bool MeansNone(int error) {
  return error == 0 || error == ENOENT || error == ESRCH || error == EBADF ||
         error == EPERM;
}

}  // namespace

absl::StatusOr<std::optional<int64_t>> LookUpLogin(const std::string& login) {
  constexpr size_t kMostBytes = 1 << 20;
  std::vector<char> buffer(4096);
  for (;;) {
    passwd entry{};
    passwd* found = nullptr;
    const int error =
        getpwnam_r(login.c_str(), &entry, buffer.data(), buffer.size(), &found);
    if (found != nullptr) return std::optional<int64_t>(entry.pw_uid);
    if (error == EINTR) continue;
    if (error == ERANGE && buffer.size() < kMostBytes) {
      buffer.resize(2 * buffer.size());
      continue;
    }
    if (MeansNone(error)) return std::optional<int64_t>();
    return absl::UnavailableError(absl::StrCat(
        "look up login '", login, "': error ", error, " of the name service"));
  }
}

}  // namespace fairsched::server
