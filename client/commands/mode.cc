// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "client/commands/commands.h"
#include "client/interrupt.h"
#include "client/names.h"
#include "client/options.h"
#include "client/units.h"

namespace fairsched::client {
namespace {

// How often the status is asked for while it is not yet so: a tick, the least
// time in which it can change.
constexpr absl::Duration kPollInterval = absl::Milliseconds(100);

absl::Status SetMode(Session& session, v1::Mode mode) {
  v1::UpdateSettingsRequest request;
  request.mutable_settings()->set_name("settings");
  request.mutable_settings()->set_mode(mode);
  request.mutable_update_mask()->add_paths("mode");
  return session.connection()
      .Call(session.connection().policy(),
            &v1::PolicyService::Stub::UpdateSettings, request)
      .status();
}

bool IsSo(const v1::NodeStatus& status, v1::Mode mode) {
  if (mode == v1::MODE_OBSERVE) {
    return status.enforcement() == v1::NodeStatus::ENFORCEMENT_OBSERVING;
  }
  return status.enforcement() == v1::NodeStatus::ENFORCEMENT_ENFORCING &&
         status.not_enforced_user_count() == 0;
}

// The first status that is as `mode` says, or the last one within `patience`.
absl::StatusOr<v1::NodeStatus> AwaitMode(Session& session, v1::Mode mode,
                                         absl::Duration patience) {
  const int interrupt_fd = session.interrupt_fd();
  while (true) {
    ASSIGN_OR_RETURN(
        const v1::NodeStatus status,
        session.connection().Call(session.connection().node(),
                                  &v1::NodeService::Stub::GetStatus,
                                  v1::GetStatusRequest()));
    const absl::Duration pause = std::min(kPollInterval, patience);
    patience -= pause;
    if (IsSo(status, mode) || pause <= absl::ZeroDuration() ||
        Wait(interrupt_fd, -1, pause) == Wake::kInterrupt) {
      return status;
    }
  }
}

// Why the kernel is not as the mode says.
std::string NotSoBecause(const v1::NodeStatus& status) {
  for (const std::string& error :
       {status.held_because(), status.last_error(), status.placement_error()}) {
    if (!error.empty()) return error;
  }
  if (status.not_enforced_user_count() > 0) {
    return absl::StrCat(status.not_enforced_user_count(),
                        " users are not enforced: see 'fairctl user list'");
  }
  return "see 'fairctl status'";
}

absl::StatusOr<ExitCode> ChangeMode(Session& session, v1::Mode mode,
                                    absl::Duration patience) {
  session.OpenInterrupt();
  RETURN_IF_ERROR(SetMode(session, mode));
  ASSIGN_OR_RETURN(const v1::NodeStatus status,
                   AwaitMode(session, mode, patience));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(status));
  } else {
    session.Print(absl::StrCat("mode ", Word(mode), ": ",
                               Word(status.enforcement()), "\n"));
  }
  if (IsSo(status, mode)) return ExitCode::kDone;
  session.Warn(absl::StrCat("the mode is set, but not in effect: ",
                            NotSoBecause(status)));
  return ExitCode::kNotEnforced;
}

void AddModeCommand(CLI::App& app, Action& chosen, v1::Mode mode,
                    const std::string& description) {
  const auto patience = std::make_shared<absl::Duration>(absl::Seconds(5));
  CLI::App* command = app.add_subcommand(Word(mode), description);
  AddParsedOption(*command, "--wait", *patience, ParseDuration,
                  "How long to wait until it is so (default 5s)");
  command->callback([patience, mode, &chosen] {
    chosen = [patience, mode](Session& session) {
      return ChangeMode(session, mode, *patience);
    };
  });
}

absl::StatusOr<ExitCode> ReleaseAll(Session& session) {
  ASSIGN_OR_RETURN(const v1::ReleaseAllResponse response,
                   session.connection().Call(session.connection().node(),
                                             &v1::NodeService::Stub::ReleaseAll,
                                             v1::ReleaseAllRequest()));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(response));
  } else {
    session.Print(absl::StrCat("released ", response.released_cgroup_count(),
                               " cgroups; the mode is observe\n"));
  }
  return ExitCode::kDone;
}

}  // namespace

void AddModeCommands(CLI::App& app, Action& chosen) {
  AddModeCommand(app, chosen, v1::MODE_OBSERVE,
                 "Only decide and show; leave the kernel as it was");
  AddModeCommand(app, chosen, v1::MODE_ENFORCE,
                 "Write decisions to the kernel");
  app.add_subcommand("release-all",
                     "Give every kernel value and process back, then observe")
      ->callback([&chosen] { chosen = ReleaseAll; });
}

}  // namespace fairsched::client
