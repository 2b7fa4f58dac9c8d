// SPDX-License-Identifier: Apache-2.0
#include "client/fairctl.h"

#include <algorithm>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/options.h"
#include "client/session.h"
#include "client/text.h"
#include "client/units.h"

namespace fairsched::client {
namespace {

absl::StatusOr<OutputFormat> ParseFormat(absl::string_view text) {
  if (text == "table") return OutputFormat::kTable;
  if (text == "json") return OutputFormat::kJson;
  return absl::InvalidArgumentError(
      absl::StrCat("'", text, "' is no output format: table or json"));
}

void AddGlobalOptions(CLI::App& app, GlobalOptions& options) {
  app.add_option("--address", options.address,
                 "The daemon's address (default $FAIRSCHED_ADDRESS, else "
                 "unix:/run/fairsched/api.sock)");
  AddParsedOption(app, "--timeout", options.timeout, ParseDuration,
                  "How long an answer may take (default 10s)");
  AddParsedOption(app, "-o,--output", options.format, ParseFormat,
                  "table (default) or json");
  app.add_flag("--no-headers", options.no_headers, "Tables without titles");
}

void AddCommands(CLI::App& app, Action& chosen) {
  AddStatusCommand(app, chosen);
  AddUserCommands(app, chosen);
  AddGroupCommands(app, chosen);
  AddSettingsCommands(app, chosen);
  AddTopCommand(app, chosen);
  AddWatchCommand(app, chosen);
  AddExplainCommand(app, chosen);
  AddOverrideCommands(app, chosen);
  AddModeCommands(app, chosen);
  AddCompletionCommand(app, chosen);
  AddVersionCommand(app, chosen);
}

ExitCode Run(const Action& action, Session& session) {
  absl::StatusOr<ExitCode> code = action(session);
  // What was printed before an error counts, too.
  const absl::Status flushed = session.Flush();
  if (code.ok() && !flushed.ok()) code = flushed;
  if (code.ok()) return *code;
  session.Warn(std::string(code.status().message()));
  return ExitCodeOf(code.status());
}

// Help is thrown, too.
ExitCode Explain(const CLI::ParseError& error, const CLI::App& app,
                 Environment& environment) {
  if (error.get_exit_code() == 0) {
    app.exit(error, environment.out, environment.err);
    environment.out.flush();
    return environment.out.good() ? ExitCode::kDone : ExitCode::kFailed;
  }
  environment.err << "fairctl: " << SanitizedLines(error.what())
                  << "\n  see 'fairctl --help'\n";
  return ExitCode::kUsage;
}

}  // namespace

ExitCode RunFairctl(std::vector<std::string> arguments,
                    Environment& environment) {
  CLI::App app("Shows and sets how a node's CPU is shared", "fairctl");
  // Global options may follow the command; a word is only ever one command.
  app.fallthrough();
  app.require_subcommand(1);
  GlobalOptions options;
  Action chosen;
  AddGlobalOptions(app, options);
  AddCommands(app, chosen);
  // The parser takes them in reverse order, and reports all by exceptions.
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return Explain(error, app, environment);
  }
  Session session(environment, options);
  return Run(chosen, session);
}

}  // namespace fairsched::client
