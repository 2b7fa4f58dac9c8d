// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "client/commands/commands.h"
#include "client/names.h"
#include "client/options.h"
#include "client/text.h"
#include "client/time.h"
#include "client/units.h"
#include "client/values.h"

namespace fairsched::client {
namespace {

struct OverrideOptions {
  std::string user;
  absl::Duration lasts;
  std::string why;
  int64_t millicpus = 0;
  int32_t factor = 0;
  CLI::Option* limit_option = nullptr;
  CLI::Option* factor_option = nullptr;
};

using Fill = std::function<void(const OverrideOptions&, v1::Override&)>;

absl::StatusOr<ExitCode> SetOverride(Session& session,
                                     const OverrideOptions& options,
                                     const Fill& fill) {
  v1::SetOverrideRequest request;
  v1::Override& override = *request.mutable_override();
  override.set_name(absl::StrCat(UserName(options.user), "/override"));
  *override.mutable_ttl() = ToProto(options.lasts);
  override.set_why(options.why);
  fill(options, override);
  ASSIGN_OR_RETURN(const v1::Override set,
                   session.connection().Call(
                       session.connection().policy(),
                       &v1::PolicyService::Stub::SetOverride, request));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(set));
    return ExitCode::kDone;
  }
  session.Print(absl::StrCat(
      Sanitized(UserId(UserName(options.user))), ": ", FormatOverride(set),
      " until ",
      absl::FormatTime("%Y-%m-%d %H:%M:%S", FromProto(set.expire_time()),
                       session.environment().zone),
      "\n"));
  return ExitCode::kDone;
}

absl::StatusOr<ExitCode> ClearOverride(Session& session,
                                       const std::string& user) {
  v1::ClearOverrideRequest request;
  request.set_name(absl::StrCat(UserName(user), "/override"));
  RETURN_IF_ERROR(session.connection()
                      .Call(session.connection().policy(),
                            &v1::PolicyService::Stub::ClearOverride, request)
                      .status());
  session.Print(
      session.json()
          ? "{}\n"
          : absl::StrCat("cleared ", Sanitized(UserId(UserName(user))), "\n"));
  return ExitCode::kDone;
}

CLI::App* AddOverrideCommand(CLI::App& app, Action& chosen,
                             const std::shared_ptr<OverrideOptions>& options,
                             const char* name, const char* help, Fill fill) {
  CLI::App* command = app.add_subcommand(name, help);
  command->add_option("USER", options->user, "alice, users/alice or uid-1001")
      ->required();
  AddParsedOption(*command, "--for", options->lasts, ParseDuration,
                  "How long, as in 1h30m; at most 720h")
      ->required();
  command->add_option("--why", options->why, "Why, for people");
  command->callback([options, fill = std::move(fill), &chosen] {
    chosen = [options, fill](Session& session) {
      return SetOverride(session, *options, fill);
    };
  });
  return command;
}

}  // namespace

void AddOverrideCommands(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<OverrideOptions>();
  CLI::App* restrict = AddOverrideCommand(
      app, chosen, options, "restrict", "Limit a user for a while",
      [](const OverrideOptions& given, v1::Override& override) {
        v1::Override::Restriction& what = *override.mutable_restriction();
        if (!given.limit_option->empty()) what.set_millicpus(given.millicpus);
      });
  options->limit_option =
      AddParsedOption(*restrict, "--limit", options->millicpus, ParseMillicpus,
                      "CPUs, 10m..10000cpu (default: 10 times the floor)");

  CLI::App* boost = AddOverrideCommand(
      app, chosen, options, "boost", "Give a user more shares for a while",
      [](const OverrideOptions& given, v1::Override& override) {
        v1::Override::Boost& what = *override.mutable_boost();
        if (!given.factor_option->empty()) what.set_factor(given.factor);
      });
  options->factor_option =
      AddParsedOption(*boost, "--factor", options->factor, ParseInt32,
                      "So many times its shares, 2..100 (default 4)");

  AddOverrideCommand(app, chosen, options, "exempt",
                     "Never throttle a user for a while",
                     [](const OverrideOptions&, v1::Override& override) {
                       override.mutable_exempt();
                     });

  CLI::App* clear =
      app.add_subcommand("clear", "End what restrict, boost or exempt has set");
  clear->add_option("USER", options->user, "alice, users/alice or uid-1001")
      ->required();
  clear->callback([options, &chosen] {
    chosen = [options](Session& session) {
      return ClearOverride(session, options->user);
    };
  });
}

}  // namespace fairsched::client
