// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_LOGIN_LOOKUP_H_
#define FAIRSCHED_SERVER_LOGIN_LOOKUP_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"

namespace fairsched::server {

// The uid of `login` by the node's name service, which may take a minute for
// it. nullopt: there is no such login. Unavailable: it could not be asked.
absl::StatusOr<std::optional<int64_t>> LookUpLogin(const std::string& login);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_LOGIN_LOOKUP_H_
