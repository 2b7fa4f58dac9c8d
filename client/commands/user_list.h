// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_COMMANDS_USER_LIST_H_
#define FAIRSCHED_CLIENT_COMMANDS_USER_LIST_H_

#include "absl/status/statusor.h"
#include "client/exit_code.h"
#include "client/session.h"

namespace fairsched::client {

// Prints all users, those that are defined and those that are only present, in
// order of name. Errors of Connection::Call().
absl::StatusOr<ExitCode> ListUsers(Session& session);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_COMMANDS_USER_LIST_H_
