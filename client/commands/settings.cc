// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "client/commands/commands.h"
#include "client/commands/settings_set.h"
#include "client/names.h"
#include "client/time.h"
#include "client/units.h"
#include "client/values.h"

namespace fairsched::client {
namespace {

std::string WindowText(const v1::Settings& settings) {
  return settings.has_auto_window()
             ? absl::StrCat("auto ", FormatAutoWindow(settings.auto_window()))
             : absl::FormatDuration(FromProto(settings.window()));
}

std::string FormatInterval(const v1::Settings& settings) {
  const absl::Duration interval = FromProto(settings.interval());
  return interval > absl::ZeroDuration() ? absl::FormatDuration(interval)
                                         : "auto";
}

Table SettingsTable(const v1::Settings& settings) {
  Table table({{.title = ""}, {.title = ""}});
  table.AddRow({{"mode"}, {Word(settings.mode())}});
  table.AddRow({{"window"}, {WindowText(settings)}});
  table.AddRow({{"tick"}, {absl::FormatDuration(FromProto(settings.tick()))}});
  table.AddRow({{"interval"}, {FormatInterval(settings)}});
  table.AddRow({{"default-limit"}, {FormatLimit(settings.default_limit())}});
  table.AddRow({{"default-steal"}, {FormatSteal(settings.default_steal())}});
  table.AddRow({{"default-shares"}, {absl::StrCat(settings.default_shares())}});
  table.AddRow({{"floor"}, {FormatMillicpus(settings.floor_millicpus())}});
  table.AddRow({{"pacing"}, {Word(settings.pacing())}});
  table.AddRow({{"uid-ranges"},
                {FormatUidRanges({settings.uid_ranges().begin(),
                                  settings.uid_ranges().end()})}});
  table.AddRow({{"exempt-uids"},
                {FormatUids({settings.exempt_uids().begin(),
                             settings.exempt_uids().end()})}});
  table.AddRow({{"etag"}, {settings.etag()}});
  return table;
}

absl::StatusOr<ExitCode> GetSettings(Session& session) {
  v1::GetSettingsRequest request;
  request.set_name("settings");
  ASSIGN_OR_RETURN(const v1::Settings settings,
                   session.connection().Call(
                       session.connection().policy(),
                       &v1::PolicyService::Stub::GetSettings, request));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(settings));
    return ExitCode::kDone;
  }
  TableStyle style = session.table_style();
  style.headers = false;
  session.Print(SettingsTable(settings).Render(style));
  return ExitCode::kDone;
}

}  // namespace

void AddSettingsCommands(CLI::App& app, Action& chosen) {
  CLI::App* settings =
      app.add_subcommand("settings", "Show and change what holds for the node");
  settings->require_subcommand(1);
  settings->add_subcommand("get", "Show the settings")->callback([&chosen] {
    chosen = GetSettings;
  });
  AddSettingsSetCommand(*settings, chosen);
}

}  // namespace fairsched::client
