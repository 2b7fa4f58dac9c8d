// SPDX-License-Identifier: Apache-2.0
#include "client/completion.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/options.h"

namespace fairsched::client {
namespace {

absl::StatusOr<Shell> ParseShell(absl::string_view text) {
  if (text == "bash") return Shell::kBash;
  if (text == "zsh") return Shell::kZsh;
  if (text == "fish") return Shell::kFish;
  return absl::InvalidArgumentError(
      absl::StrCat("'", text, "' is no shell: bash, zsh or fish"));
}

}  // namespace

void AddCompletionCommand(CLI::App& app, Action& chosen) {
  const auto shell = std::make_shared<Shell>(Shell::kBash);
  CLI::App* completion = app.add_subcommand(
      "completion", "Print a script that completes fairctl's commands");
  AddParsedOption(*completion, "SHELL", *shell, ParseShell, "bash, zsh or fish")
      ->required();
  completion->callback([shell, &app, &chosen] {
    chosen = [shell, &app](Session& session) -> absl::StatusOr<ExitCode> {
      session.Print(CompletionScript(app, *shell));
      return ExitCode::kDone;
    };
  });
}

}  // namespace fairsched::client
