// SPDX-License-Identifier: Apache-2.0
#include "server/name_service.h"

#include <grp.h>
#include <pwd.h>
#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "agent/core/status_macros.h"

namespace fairsched::server {
namespace {

// getpwnam_r(3): what name services say instead of "there is none".
bool MeansNone(int error) {
  return error == 0 || error == ENOENT || error == ESRCH || error == EBADF ||
         error == EPERM;
}

// Calls one of the get*_r() with ever larger buffers, and `take` with what it
// found. False: there is none.
template <typename Entry, typename Get, typename Take>
absl::StatusOr<bool> Find(const std::string& what, Get get, Take take) {
  // A group has all its members in it.
  constexpr size_t kMostBytes = 64 << 20;
  std::vector<char> buffer(4096);
  for (;;) {
    Entry entry{};
    Entry* found = nullptr;
    const int error = get(&entry, buffer.data(), buffer.size(), &found);
    if (found != nullptr) {
      take(entry);
      return true;
    }
    if (error == EINTR) continue;
    if (error == ERANGE && buffer.size() < kMostBytes) {
      buffer.resize(2 * buffer.size());
      continue;
    }
    if (MeansNone(error)) return false;
    return absl::UnavailableError(absl::StrCat("look up ", what, ": error ",
                                               error, " of the name service"));
  }
}

// The number in the entry that has a name.
template <typename Entry, typename Number>
absl::StatusOr<std::optional<int64_t>> NumberOf(
    absl::string_view what, const std::string& name,
    int (*get)(const char*, Entry*, char*, size_t, Entry**),
    Number Entry::*member) {
  std::optional<int64_t> number;
  RETURN_IF_ERROR(Find<Entry>(
                      absl::StrCat(what, " '", name, "'"),
                      [&](auto... at) { return get(name.c_str(), at...); },
                      [&](const Entry& entry) { number = entry.*member; })
                      .status());
  return number;
}

absl::StatusOr<std::optional<int64_t>> UidOfLogin(const std::string& login) {
  return NumberOf("login", login, getpwnam_r, &passwd::pw_uid);
}

absl::StatusOr<std::optional<int64_t>> GidOfGroup(const std::string& name) {
  return NumberOf("unix group", name, getgrnam_r, &group::gr_gid);
}

absl::StatusOr<std::set<int64_t>> GidsOfUid(int64_t uid) {
  std::string login;
  gid_t primary = 0;
  const auto get = [uid](auto... at) {
    return getpwuid_r(static_cast<uid_t>(uid), at...);
  };
  const auto take = [&](const passwd& p) {
    login = p.pw_name;
    primary = p.pw_gid;
  };
  ASSIGN_OR_RETURN(const bool is_there,
                   Find<passwd>(absl::StrCat("uid ", uid), get, take));
  if (!is_there) return std::set<int64_t>();
  int count = 64;
  std::vector<gid_t> gids(static_cast<size_t>(count));
  // It sets `count` to how many there are. They may become more meanwhile.
  while (getgrouplist(login.c_str(), primary, gids.data(), &count) < 0)
    gids.resize(static_cast<size_t>(count));
  return std::set<int64_t>(gids.begin(), gids.begin() + count);
}

}  // namespace

NameService NodeNameService() {
  return {.uid_of_login = UidOfLogin,
          .gid_of_group = GidOfGroup,
          .gids_of_uid = GidsOfUid};
}

}  // namespace fairsched::server
