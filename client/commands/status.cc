// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "agent/core/status_macros.h"
#include "client/commands/commands.h"
#include "client/names.h"
#include "client/time.h"
#include "client/units.h"

namespace fairsched::client {
namespace {

std::string Cpus(const v1::NodeUsage& node) {
  return absl::StrCat(FormatCpus(node.capacity_cpus()), ": ",
                      FormatCpus(node.managed_cpus()), " by users, ",
                      FormatCpus(node.exempt_cpus()), " exempt, ",
                      FormatCpus(node.other_cpus()), " other, ",
                      FormatCpus(node.idle_cpus()), " idle");
}

std::string Window(const v1::NodeUsage& node) {
  return absl::StrCat("number ", node.window_number(), ", ",
                      FormatSeconds(FromProto(node.window_age())), " of ",
                      absl::FormatDuration(FromProto(node.window())), ", ",
                      node.contended() ? "somebody waits" : "nobody waits");
}

std::string Placement(const v1::NodeStatus& status) {
  if (status.placement_root().empty()) return status.placement();
  return absl::StrCat(status.placement(), ", in ", status.placement_root());
}

Colour ColourOf(v1::NodeStatus::Enforcement enforcement) {
  switch (enforcement) {
    case v1::NodeStatus::ENFORCEMENT_ENFORCING:
      return Colour::kGreen;
    case v1::NodeStatus::ENFORCEMENT_RELEASED:
      return Colour::kRed;
    default:
      return Colour::kYellow;
  }
}

void AddRowIfAny(Table& table, const std::string& title,
                 const std::string& text) {
  if (!text.empty()) table.AddRow({{title}, {text, Colour::kRed}});
}

// "0.997, worst error 0.4 %", or why there is none.
std::string FairnessText(const v1::NodeUsage& node) {
  if (!node.has_fairness()) return "- (nobody contends)";
  const v1::Fairness& fairness = node.fairness();
  std::string text =
      absl::StrFormat("%.3f, worst error %.1f %%", fairness.fairness(),
                      fairness.worst_error_ratio() * 100);
  if (!fairness.demand_known()) {
    absl::StrAppend(&text, ", demand is guessed");
  } else if (fairness.flagged()) {
    absl::StrAppendFormat(&text, ", somebody got only %.0f %% of its share",
                          fairness.min_x() * 100);
  }
  return text;
}

Table StatusTable(const v1::NodeStatus& status) {
  Table table({{.title = ""}, {.title = "", .min_width = 20}});
  table.AddRow({{"mode"}, {Word(status.mode())}});
  table.AddRow({{"state"},
                {Word(status.enforcement()), ColourOf(status.enforcement())}});
  AddRowIfAny(table, "held", status.held_because());
  AddRowIfAny(table, "error", status.last_error());
  if (status.no_controller_cgroup_count() > 0) {
    AddRowIfAny(table, "degraded",
                absl::StrCat("the cpu controller is off in ",
                             status.no_controller_cgroup_count(), " cgroups"));
  }
  table.AddRow({{"backend"}, {status.backend()}});
  table.AddRow({{"placement"}, {Placement(status)}});
  AddRowIfAny(table, "placement error", status.placement_error());
  for (const std::string& note : status.notes()) {
    table.AddRow({{"note"}, {note, Colour::kYellow}});
  }
  if (!status.features().empty()) {
    table.AddRow({{"features"}, {absl::StrJoin(status.features(), " ")}});
  }
  table.AddRow({{"ticks"},
                {absl::StrCat(status.tick_count(), " of ",
                              absl::FormatDuration(FromProto(status.tick())),
                              ", ", status.failed_tick_count(), " failed, ",
                              status.overrun_count(), " late")}});
  table.AddRow(
      {{"users"},
       {absl::StrCat(status.present_user_count(), " present, ",
                     status.not_enforced_user_count(), " not enforced")}});
  if (status.override_count() > 0) {
    table.AddRow({{"overrides"},
                  {absl::StrCat(status.override_count(),
                                " set for a while: see 'fairctl user list'")}});
  }
  table.AddRow(
      {{"drift"},
       {absl::StrCat(status.drift_count(), " values changed by others")}});
  table.AddRow(
      {{"policy"}, {absl::StrCat("revision ", status.policy_revision())}});
  table.AddRow({{"window"}, {Window(status.usage())}});
  table.AddRow({{"fairness"}, {FairnessText(status.usage())}});
  if (status.usage().weight_top_shrunk()) {
    table.AddRow({{"weights"},
                  {absl::StrFormat("shares are far apart: at most %.0f times "
                                   "the base, errors take longer to correct",
                                   status.usage().weight_top())}});
  }
  table.AddRow({{"CPUs"}, {Cpus(status.usage())}});
  return table;
}

absl::StatusOr<ExitCode> Status(Session& session) {
  ASSIGN_OR_RETURN(const v1::NodeStatus status,
                   session.connection().Call(session.connection().node(),
                                             &v1::NodeService::Stub::GetStatus,
                                             v1::GetStatusRequest()));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(status));
    return ExitCode::kDone;
  }
  const absl::Duration up = absl::Trunc(
      FromProto(status.sample_time()) - FromProto(status.start_time()),
      absl::Seconds(1));
  session.Print(absl::StrCat("fairschedd ", status.version(), ", up ",
                             absl::FormatDuration(up), "\n"));
  TableStyle style = session.table_style();
  style.headers = false;
  session.Print(StatusTable(status).Render(style));
  return ExitCode::kDone;
}

}  // namespace

void AddStatusCommand(CLI::App& app, Action& chosen) {
  app.add_subcommand("status", "Show how the daemon and the node do")
      ->callback([&chosen] { chosen = Status; });
}

}  // namespace fairsched::client
