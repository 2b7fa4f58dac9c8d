// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "client/commands/commands.h"
#include "client/text.h"
#include "google/protobuf/struct.pb.h"

namespace fairsched::client {
namespace {

absl::StatusOr<ExitCode> Version(Session& session) {
  // The client's own version is of use most where no daemon answers.
  if (!session.json()) session.Print("fairctl " FAIRSCHED_VERSION "\n");
  ASSIGN_OR_RETURN(const v1::NodeStatus status,
                   session.connection().Call(session.connection().node(),
                                             &v1::NodeService::Stub::GetStatus,
                                             v1::GetStatusRequest()));
  if (!session.json()) {
    session.Print(
        absl::StrCat("fairschedd ", Sanitized(status.version()), "\n"));
    return ExitCode::kDone;
  }
  google::protobuf::Struct versions;
  auto& fields = *versions.mutable_fields();
  fields["client"].set_string_value(FAIRSCHED_VERSION);
  fields["server"].set_string_value(status.version());
  RETURN_IF_ERROR(session.PrintJson(versions));
  return ExitCode::kDone;
}

}  // namespace

void AddVersionCommand(CLI::App& app, Action& chosen) {
  app.add_subcommand("version", "Show the versions of fairctl and the daemon")
      ->callback([&chosen] { chosen = Version; });
}

}  // namespace fairsched::client
