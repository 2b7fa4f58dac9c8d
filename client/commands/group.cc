// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "client/commands/commands.h"
#include "client/commands/group_set.h"
#include "client/names.h"
#include "client/pages.h"
#include "client/text.h"
#include "client/time.h"
#include "client/units.h"

namespace fairsched::client {
namespace {

struct NamedGroup {
  std::string group;
  std::string etag;
};

std::string LimitText(const v1::Group& group) {
  return group.has_limit_millicpus() ? FormatMillicpus(group.limit_millicpus())
                                     : "none";
}

absl::StatusOr<ExitCode> ListGroups(Session& session) {
  ASSIGN_OR_RETURN(
      const v1::ListGroupUsageResponse usage,
      session.connection().Call(session.connection().usage(),
                                &v1::UsageService::Stub::ListGroupUsage,
                                v1::ListGroupUsageRequest()));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(usage));
    return ExitCode::kDone;
  }
  using Align = Column::Align;
  Table table({{.title = "GROUP", .min_width = 12},
               {.title = "PARENT"},
               {.title = "SHARES", .align = Align::kRight},
               {.title = "LIMIT", .align = Align::kRight},
               {.title = "USERS", .align = Align::kRight},
               {.title = "CPU", .align = Align::kRight},
               {.title = "SHARE", .align = Align::kRight},
               {.title = "BALANCE", .align = Align::kRight}});
  for (const v1::GroupUsage& group : usage.groups()) {
    table.AddRow(
        {{GroupId(group.group())},
         {GroupId(group.parent())},
         {absl::StrCat(group.shares())},
         {group.has_limit_cpus() ? FormatCpus(group.limit_cpus()) : "-"},
         {absl::StrCat(group.member_count())},
         {FormatCpus(group.cpus())},
         {FormatCpus(group.entitlement_cpus())},
         {FormatSeconds(FromProto(group.balance()))}});
  }
  session.Print(table.Render(session.table_style()));
  return ExitCode::kDone;
}

absl::StatusOr<ExitCode> GetGroup(Session& session, const std::string& name) {
  v1::GetGroupRequest request;
  request.set_name(GroupName(name));
  ASSIGN_OR_RETURN(
      const v1::Group group,
      session.connection().Call(session.connection().policy(),
                                &v1::PolicyService::Stub::GetGroup, request));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(group));
    return ExitCode::kDone;
  }
  Table table({{.title = ""}, {.title = ""}});
  table.AddRow({{"group"}, {GroupId(group.name())}});
  table.AddRow({{"parent"}, {GroupId(group.parent())}});
  table.AddRow({{"shares"}, {absl::StrCat(group.shares())}});
  table.AddRow({{"limit"}, {LimitText(group)}});
  table.AddRow({{"etag"}, {group.etag()}});
  TableStyle style = session.table_style();
  style.headers = false;
  session.Print(table.Render(style));
  return ExitCode::kDone;
}

absl::StatusOr<ExitCode> DeleteGroup(Session& session,
                                     const NamedGroup& named) {
  v1::DeleteGroupRequest request;
  request.set_name(GroupName(named.group));
  request.set_etag(named.etag);
  RETURN_IF_ERROR(session.connection()
                      .Call(session.connection().policy(),
                            &v1::PolicyService::Stub::DeleteGroup, request)
                      .status());
  session.Print(
      session.json()
          ? "{}\n"
          : absl::StrCat("deleted ", Sanitized(GroupId(request.name())), "\n"));
  return ExitCode::kDone;
}

}  // namespace

void AddGroupCommands(CLI::App& app, Action& chosen) {
  const auto named = std::make_shared<NamedGroup>();
  CLI::App* group = app.add_subcommand("group", "Show and define groups");
  group->require_subcommand(1);

  group->add_subcommand("list", "List all groups, and how they stand")
      ->callback([&chosen] { chosen = ListGroups; });

  CLI::App* get = group->add_subcommand("get", "Show how a group is defined");
  get->add_option("GROUP", named->group, "staff or groups/staff")->required();
  get->callback([named, &chosen] {
    chosen = [named](Session& session) {
      return GetGroup(session, named->group);
    };
  });

  AddGroupSetCommand(*group, chosen);

  CLI::App* remove =
      group->add_subcommand("delete", "Take a group away that has no members");
  remove->add_option("GROUP", named->group, "staff or groups/staff")
      ->required();
  remove->add_option("--etag", named->etag,
                     "Delete it only if this is its etag");
  remove->callback([named, &chosen] {
    chosen = [named](Session& session) { return DeleteGroup(session, *named); };
  });
}

}  // namespace fairsched::client
