// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_COMMANDS_GROUP_SET_H_
#define FAIRSCHED_CLIENT_COMMANDS_GROUP_SET_H_

#include "CLI/CLI.hpp"
#include "client/commands/commands.h"

namespace fairsched::client {

// Adds `set` to the commands of `group`; see commands.h.
void AddGroupSetCommand(CLI::App& group, Action& chosen);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_COMMANDS_GROUP_SET_H_
