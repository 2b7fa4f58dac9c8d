// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_NAME_SERVICE_H_
#define FAIRSCHED_SERVER_NAME_SERVICE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "absl/status/statusor.h"

namespace fairsched::server {

// What the node's name service is asked. Each question may take it a minute.
// Unavailable: it could not be asked. Thread-safe.
struct NameService {
  // The uid of a login; nullopt: there is no such login.
  std::function<absl::StatusOr<std::optional<int64_t>>(const std::string&)>
      uid_of_login;
  // The gid of a unix group; nullopt: there is no such group.
  std::function<absl::StatusOr<std::optional<int64_t>>(const std::string&)>
      gid_of_group;
  // The gids of the login that has a uid, as it gets them when it logs in: of
  // its primary group and of all others. None: there is no such login.
  std::function<absl::StatusOr<std::set<int64_t>>(int64_t)> gids_of_uid;
};

// That of this node.
NameService NodeNameService();

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_NAME_SERVICE_H_
