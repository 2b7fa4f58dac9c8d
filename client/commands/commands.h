// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_COMMANDS_COMMANDS_H_
#define FAIRSCHED_CLIENT_COMMANDS_COMMANDS_H_

#include <functional>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "client/exit_code.h"
#include "client/session.h"

namespace fairsched::client {

// What a command does once the command line is known to be right. An error is
// one of Connection::Call(), or of the output.
using Action = std::function<absl::StatusOr<ExitCode>(Session&)>;

// Each adds the commands of one noun to `app`. Parsing a command line that
// names one of them puts its action into `chosen`, which must outlive `app`.
void AddStatusCommand(CLI::App& app, Action& chosen);
void AddUserCommands(CLI::App& app, Action& chosen);
void AddGroupCommands(CLI::App& app, Action& chosen);
void AddSettingsCommands(CLI::App& app, Action& chosen);
void AddTopCommand(CLI::App& app, Action& chosen);
void AddWatchCommand(CLI::App& app, Action& chosen);
void AddExplainCommand(CLI::App& app, Action& chosen);
void AddOverrideCommands(CLI::App& app, Action& chosen);
void AddModeCommands(CLI::App& app, Action& chosen);
void AddCompletionCommand(CLI::App& app, Action& chosen);
void AddVersionCommand(CLI::App& app, Action& chosen);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_COMMANDS_COMMANDS_H_
