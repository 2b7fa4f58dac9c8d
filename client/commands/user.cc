// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "agent/core/status_macros.h"
#include "client/commands/commands.h"
#include "client/commands/user_list.h"
#include "client/commands/user_set.h"
#include "client/names.h"
#include "client/text.h"
#include "client/values.h"

namespace fairsched::client {
namespace {

struct NamedUser {
  std::string user;
  std::string etag;
};

// A row for each kind that there is.
void AddSelectors(const v1::User& user, Table& table) {
  std::vector<std::string> uids, logins, unix_groups, units, cgroups;
  for (const v1::Selector& selector : user.selectors()) {
    switch (selector.kind_case()) {
      case v1::Selector::kUid:
        uids.push_back(absl::StrCat(selector.uid()));
        break;
      case v1::Selector::kLogin:
        logins.push_back(selector.login());
        break;
      case v1::Selector::kUnixGroup:
        unix_groups.push_back(selector.unix_group());
        break;
      case v1::Selector::kUnit:
        units.push_back(selector.unit());
        break;
      case v1::Selector::kCgroup:
        cgroups.push_back(selector.cgroup());
        break;
      case v1::Selector::KIND_NOT_SET:
        break;
    }
  }
  const auto add_row = [&table](const char* title, const char* separator,
                                const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    table.AddRow({{title}, {absl::StrJoin(texts, separator)}});
  };
  add_row("uids", ",", uids);
  // These may have commas in them.
  add_row("logins", "  ", logins);
  add_row("unix groups", "  ", unix_groups);
  add_row("units", "  ", units);
  add_row("cgroups", "  ", cgroups);
}

Table UserTable(const v1::User& user) {
  Table table({{.title = ""}, {.title = ""}});
  table.AddRow({{"user"}, {UserId(user.name())}});
  if (!user.display_name().empty()) {
    table.AddRow({{"name"}, {user.display_name()}});
  }
  AddSelectors(user, table);
  table.AddRow({{"shares"},
                {user.has_shares() ? absl::StrCat(user.shares()) : "default"}});
  if (user.has_limit()) table.AddRow({{"limit"}, {FormatLimit(user.limit())}});
  if (user.nice() != 0) table.AddRow({{"nice"}, {absl::StrCat(user.nice())}});
  if (!user.group().empty()) table.AddRow({{"group"}, {GroupId(user.group())}});
  table.AddRow({{"exempt"}, {user.exempt() ? "yes" : "no"}});
  table.AddRow({{"etag"}, {user.etag()}});
  return table;
}

absl::StatusOr<ExitCode> GetUser(Session& session, const std::string& name) {
  v1::GetUserRequest request;
  request.set_name(UserName(name));
  ASSIGN_OR_RETURN(
      const v1::User user,
      session.connection().Call(session.connection().policy(),
                                &v1::PolicyService::Stub::GetUser, request));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(user));
    return ExitCode::kDone;
  }
  TableStyle style = session.table_style();
  style.headers = false;
  session.Print(UserTable(user).Render(style));
  return ExitCode::kDone;
}

absl::StatusOr<ExitCode> DeleteUser(Session& session, const NamedUser& named) {
  v1::DeleteUserRequest request;
  request.set_name(UserName(named.user));
  request.set_etag(named.etag);
  RETURN_IF_ERROR(session.connection()
                      .Call(session.connection().policy(),
                            &v1::PolicyService::Stub::DeleteUser, request)
                      .status());
  session.Print(
      session.json()
          ? "{}\n"
          : absl::StrCat("deleted ", Sanitized(UserId(named.user)), "\n"));
  return ExitCode::kDone;
}

}  // namespace

void AddUserCommands(CLI::App& app, Action& chosen) {
  const auto named = std::make_shared<NamedUser>();
  CLI::App* user = app.add_subcommand("user", "Show and define users");
  user->require_subcommand(1);

  user->add_subcommand("list", "List all users, defined or only present")
      ->callback([&chosen] { chosen = ListUsers; });

  CLI::App* get = user->add_subcommand("get", "Show how a user is defined");
  get->add_option("USER", named->user, "alice, users/alice or uid-1001")
      ->required();
  get->callback([named, &chosen] {
    chosen = [named](Session& session) {
      return GetUser(session, named->user);
    };
  });

  AddUserSetCommand(*user, chosen);

  CLI::App* remove = user->add_subcommand(
      "delete", "Take a definition away: its uids are implicit users again");
  remove->add_option("USER", named->user, "alice, users/alice or uid-1001")
      ->required();
  remove->add_option("--etag", named->etag,
                     "Delete it only if this is its etag");
  remove->callback([named, &chosen] {
    chosen = [named](Session& session) { return DeleteUser(session, *named); };
  });
}

}  // namespace fairsched::client
