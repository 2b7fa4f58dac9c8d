// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "client/commands/commands.h"
#include "client/names.h"
#include "client/text.h"

namespace fairsched::client {
namespace {

absl::StatusOr<ExitCode> Explain(Session& session, const std::string& user) {
  v1::ExplainUserRequest request;
  request.set_name(UserName(user));
  ASSIGN_OR_RETURN(
      const v1::ExplainUserResponse response,
      session.connection().Call(session.connection().node(),
                                &v1::NodeService::Stub::ExplainUser, request));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(response));
    return ExitCode::kDone;
  }
  const v1::UserUsage& usage = response.usage();
  const bool colour = session.environment().colour;
  session.Print(
      absl::StrCat(Sanitized(UserId(usage.user())), ": ",
                   Coloured(Word(usage.state()),
                            colour ? ColourOf(usage.state()) : Colour::kNone),
                   "\n"));
  for (const std::string& line : response.lines()) {
    session.Print(absl::StrCat(Sanitized(line), "\n"));
  }
  return ExitCode::kDone;
}

}  // namespace

void AddExplainCommand(CLI::App& app, Action& chosen) {
  const auto user = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("explain", "Say why a user stands as it does");
  command->add_option("USER", *user, "alice, users/alice or uid-1001")
      ->required();
  command->callback([user, &chosen] {
    chosen = [user](Session& session) { return Explain(session, *user); };
  });
}

}  // namespace fairsched::client
