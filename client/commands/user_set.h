// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_COMMANDS_USER_SET_H_
#define FAIRSCHED_CLIENT_COMMANDS_USER_SET_H_

#include "CLI/CLI.hpp"
#include "client/commands/commands.h"

namespace fairsched::client {

// Adds `set` to the commands of `user`; see commands.h.
void AddUserSetCommand(CLI::App& user, Action& chosen);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_COMMANDS_USER_SET_H_
