// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_COMMANDS_SETTINGS_SET_H_
#define FAIRSCHED_CLIENT_COMMANDS_SETTINGS_SET_H_

#include "CLI/CLI.hpp"
#include "client/commands/commands.h"

namespace fairsched::client {

// Adds `set` to the commands of `settings`; see commands.h.
void AddSettingsSetCommand(CLI::App& settings, Action& chosen);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_COMMANDS_SETTINGS_SET_H_
