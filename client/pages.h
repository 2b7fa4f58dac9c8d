// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_PAGES_H_
#define FAIRSCHED_CLIENT_PAGES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"

namespace fairsched::client {

// All pages as one answer, whose `next_page_token` is empty. Errors of
// Connection::Call().
absl::StatusOr<v1::ListUsersResponse> ListAllUsers(Connection& connection);
// The node and the time are those of the last page.
absl::StatusOr<v1::ListUserUsageResponse> ListAllUsage(Connection& connection);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_PAGES_H_
