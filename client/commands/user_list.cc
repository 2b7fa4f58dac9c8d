// SPDX-License-Identifier: Apache-2.0
#include "client/commands/user_list.h"

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "client/json.h"
#include "client/names.h"
#include "client/pages.h"
#include "client/usage_table.h"

namespace fairsched::client {
namespace {

// A user as it is defined, as it stands, or both.
struct ListedUser {
  const v1::User* definition = nullptr;
  const v1::UserUsage* usage = nullptr;
};

// In order of name, as both lists are.
using ListedUsers = std::map<std::string, ListedUser>;

absl::Status PrintAsJson(Session& session, const ListedUsers& users) {
  // No message of the API has both halves, so the list is put together here.
  std::string json = R"({"users":[)";
  const char* separator = "\n";
  for (const auto& [name, user] : users) {
    absl::StrAppend(&json, separator, "{");
    if (user.definition != nullptr) {
      ASSIGN_OR_RETURN(const std::string text,
                       ToJson(*user.definition, JsonForm::kLine));
      absl::StrAppend(&json, R"("definition":)", text,
                      user.usage == nullptr ? "" : ",");
    }
    if (user.usage != nullptr) {
      ASSIGN_OR_RETURN(const std::string text,
                       ToJson(*user.usage, JsonForm::kLine));
      absl::StrAppend(&json, R"("usage":)", text);
    }
    absl::StrAppend(&json, "}");
    separator = ",\n";
  }
  session.Print(absl::StrCat(json, "\n]}\n"));
  return absl::OkStatus();
}

// A user that was defined between the two calls has no usage yet.
v1::UserUsage UsageOf(const ListedUser& user) {
  if (user.usage != nullptr) return *user.usage;
  v1::UserUsage usage;
  usage.set_user(user.definition->name());
  usage.set_shares(user.definition->shares());
  usage.set_state(v1::UserUsage::STATE_ABSENT);
  return usage;
}

void PrintAsTable(Session& session, const ListedUsers& users) {
  std::vector<Column> columns = UserColumns();
  columns.push_back({.title = "SOURCE"});
  columns.push_back({.title = "REASON", .min_width = 10});
  Table table(std::move(columns));
  for (const auto& [name, user] : users) {
    const v1::UserUsage usage = UsageOf(user);
    std::vector<Cell> cells = UserCells(usage);
    cells.push_back({user.definition == nullptr ? "implicit" : "api"});
    cells.push_back(ReasonCell(usage));
    table.AddRow(std::move(cells));
  }
  session.Print(table.Render(session.table_style()));
}

}  // namespace

absl::StatusOr<ExitCode> ListUsers(Session& session) {
  ASSIGN_OR_RETURN(const v1::ListUsersResponse defined,
                   ListAllUsers(session.connection()));
  ASSIGN_OR_RETURN(const v1::ListUserUsageResponse present,
                   ListAllUsage(session.connection()));
  ListedUsers users;
  for (const v1::User& user : defined.users()) {
    users[user.name()].definition = &user;
  }
  for (const v1::UserUsage& usage : present.users()) {
    users[usage.user()].usage = &usage;
  }
  if (session.json()) {
    RETURN_IF_ERROR(PrintAsJson(session, users));
  } else {
    PrintAsTable(session, users);
  }
  return ExitCode::kDone;
}

}  // namespace fairsched::client
