// SPDX-License-Identifier: Apache-2.0
#include "client/commands/user_set.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "client/names.h"
#include "client/options.h"
#include "client/text.h"
#include "client/time.h"
#include "client/units.h"
#include "client/values.h"

namespace fairsched::client {
namespace {

struct UserSetOptions {
  std::string user;
  OrDefault<int32_t> shares;
  std::vector<std::vector<int64_t>> uids;
  std::vector<std::string> logins, unix_groups, units, cgroups;
  bool exempt = false;
  OrDefault<v1::Limit> limit;
  absl::Duration burst;
  OrDefault<v1::Steal> steal;
  int32_t nice = 0;
  std::string group;
  std::string display_name;
  std::string etag;

  // What was given, and goes into the mask.
  CLI::Option* shares_option = nullptr;
  std::vector<CLI::Option*> selector_options;
  CLI::Option* exempt_option = nullptr;
  CLI::Option* limit_option = nullptr;
  CLI::Option* burst_option = nullptr;
  CLI::Option* steal_option = nullptr;
  CLI::Option* nice_option = nullptr;
  CLI::Option* group_option = nullptr;
  bool expand = false;
  CLI::Option* expand_option = nullptr;
  CLI::Option* display_name_option = nullptr;
};

// A limit that is given is all of it; burst and steal alone change only that.
void AddLimit(const UserSetOptions& options, v1::UpdateUserRequest& request) {
  google::protobuf::FieldMask& mask = *request.mutable_update_mask();
  v1::User& user = *request.mutable_user();
  const bool whole = options.limit_option->count() > 0;
  if (whole) {
    mask.add_paths("limit");
    if (options.limit.has_value()) *user.mutable_limit() = *options.limit;
  }
  if (options.burst_option->count() > 0) {
    if (!whole) mask.add_paths("limit.burst");
    *user.mutable_limit()->mutable_burst() = ToProto(options.burst);
  }
  if (options.steal_option->count() > 0) {
    if (!whole) mask.add_paths("limit.steal");
    if (options.steal.has_value())
      *user.mutable_limit()->mutable_steal() = *options.steal;
  }
}

void AddSelectors(const UserSetOptions& options, v1::User& user) {
  for (const std::vector<int64_t>& uids : options.uids) {
    for (const int64_t uid : uids) user.add_selectors()->set_uid(uid);
  }
  for (const std::string& login : options.logins) {
    user.add_selectors()->set_login(login);
  }
  for (const std::string& group : options.unix_groups) {
    user.add_selectors()->set_unix_group(group);
  }
  for (const std::string& unit : options.units) {
    user.add_selectors()->set_unit(unit);
  }
  for (const std::string& cgroup : options.cgroups) {
    user.add_selectors()->set_cgroup(cgroup);
  }
}

v1::UpdateUserRequest RequestFor(const UserSetOptions& options) {
  v1::UpdateUserRequest request;
  v1::User& user = *request.mutable_user();
  user.set_name(UserName(options.user));
  user.set_etag(options.etag);
  // An etag says that there is such a user: made anew it would be another.
  request.set_allow_missing(options.etag.empty());
  google::protobuf::FieldMask& mask = *request.mutable_update_mask();
  if (options.shares_option->count() > 0) {
    mask.add_paths("shares");
    if (options.shares.has_value()) user.set_shares(*options.shares);
  }
  if (std::any_of(options.selector_options.begin(),
                  options.selector_options.end(),
                  [](const CLI::Option* each) { return each->count() > 0; })) {
    mask.add_paths("selectors");
    AddSelectors(options, user);
  }
  if (options.exempt_option->count() > 0) {
    mask.add_paths("exempt");
    user.set_exempt(options.exempt);
  }
  AddLimit(options, request);
  if (options.nice_option->count() > 0) {
    mask.add_paths("nice");
    user.set_nice(options.nice);
  }
  if (options.group_option->count() > 0) {
    mask.add_paths("group");
    user.set_group(GroupName(options.group));
  }
  if (options.expand_option->count() > 0) {
    mask.add_paths("expand");
    user.set_expand(options.expand);
  }
  if (options.display_name_option->count() > 0) {
    mask.add_paths("display_name");
    user.set_display_name(options.display_name);
  }
  if (mask.paths().empty()) request.clear_update_mask();
  return request;
}

absl::StatusOr<ExitCode> SetUser(Session& session,
                                 const UserSetOptions& options) {
  ASSIGN_OR_RETURN(
      const v1::User user,
      session.connection().Call(session.connection().policy(),
                                &v1::PolicyService::Stub::UpdateUser,
                                RequestFor(options)));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(user));
    return ExitCode::kDone;
  }
  session.Print(absl::StrCat("set ", Sanitized(UserId(user.name())), "\n"));
  return ExitCode::kDone;
}

// One or more uids in one option, which may be given several times.
CLI::Option* AddUidsOption(CLI::App& app,
                           std::vector<std::vector<int64_t>>& uids) {
  CLI::Option* option = app.add_option(
      "--uid",
      [&uids](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
          auto parsed = ParseUids(text);
          if (!parsed.ok()) return false;
          uids.push_back(*std::move(parsed));
        }
        return true;
      },
      "Whose processes are this user's, as in 1001,1002; may be repeated. All "
      "that are given, of whatever kind, replace all that it has");
  option->check([](const std::string& text) {
    return std::string(ParseUids(text).status().message());
  });
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return option;
}

void AddLimitOptions(CLI::App& set, UserSetOptions& options) {
  options.limit_option = AddParsedOption(
      set, "--limit", options.limit, DefaultOr<v1::Limit>(ParseLimit),
      "A ceiling: CPUs of 10m..10000cpu, entitlement, none or default. Burst "
      "and steal that are not given with it are those of a new limit");
  options.burst_option =
      AddParsedOption(set, "--burst", options.burst, ParseDuration,
                      "Unused limit that may be saved for later, as CPU time");
  options.steal_option = AddParsedOption(
      set, "--steal", options.steal, DefaultOr<v1::Steal>(ParseSteal),
      "CPU time that it may take beyond its limit in a second, of what would "
      "idle: a duration, unlimited or default");
  options.nice_option =
      AddParsedOption(set, "--nice", options.nice, ParseInt32,
                      "-20..19: scales the interval of its ceiling");
  options.expand_option = set.add_flag(
      "--expand,!--no-expand", options.expand,
      "Each uid or cgroup that it selects is a user of its own, with these "
      "shares and limits");
  options.group_option = set.add_option(
      "--group", options.group, "The group that it is a member of, or root");
}

// One text in an option, which may be given several times.
CLI::Option* AddTextsOption(CLI::App& app, const char* name,
                            std::vector<std::string>& texts, const char* help) {
  return app.add_option(name, texts, help)
      ->expected(1)
      ->type_name("")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void AddSelectorOptions(CLI::App& app, UserSetOptions& options) {
  options.selector_options = {
      AddUidsOption(app, options.uids),
      AddTextsOption(app, "--login", options.logins,
                     "A login whose uid is this user's; may be repeated"),
      AddTextsOption(app, "--unix-group", options.unix_groups,
                     "A unix group whose members are this user's; may be "
                     "repeated"),
      AddTextsOption(app, "--unit", options.units,
                     "A unit of systemd, as in nginx.service; may be repeated"),
      AddTextsOption(app, "--cgroup", options.cgroups,
                     "Cgroups below the root, as in 'machine.slice/*.scope'; "
                     "may be repeated"),
  };
}

}  // namespace

void AddUserSetCommand(CLI::App& user, Action& chosen) {
  const auto options = std::make_shared<UserSetOptions>();
  CLI::App* set =
      user.add_subcommand("set", "Define a user, or change what is given");
  set->add_option("USER", options->user, "alice, users/alice or uid-1001")
      ->required();
  options->shares_option = AddParsedOption(
      *set, "--shares", options->shares, DefaultOr<int32_t>(ParseInt32),
      "Relative weight, 1..10000, or 'default'");
  AddSelectorOptions(*set, *options);
  options->exempt_option =
      set->add_flag("--exempt,!--no-exempt", options->exempt,
                    "Never throttled, but accounted; --exempt=false ends it");
  AddLimitOptions(*set, *options);
  options->display_name_option = set->add_option(
      "--display-name", options->display_name, "Free text for people");
  set->add_option("--etag", options->etag,
                  "Change it only if this is its etag");
  set->callback([options, &chosen] {
    chosen = [options](Session& session) { return SetUser(session, *options); };
  });
}

}  // namespace fairsched::client
