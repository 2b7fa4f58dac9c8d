// SPDX-License-Identifier: Apache-2.0
#include "client/commands/group_set.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "client/names.h"
#include "client/options.h"
#include "client/text.h"
#include "client/units.h"
#include "client/values.h"

namespace fairsched::client {
namespace {

struct GroupSetOptions {
  std::string group;
  std::string parent;
  OrDefault<int32_t> shares;
  OrDefault<int64_t> limit;
  std::string etag;

  CLI::Option* parent_option = nullptr;
  CLI::Option* shares_option = nullptr;
  CLI::Option* limit_option = nullptr;
};

// CPUs, or "none": no value.
absl::StatusOr<OrDefault<int64_t>> ParseGroupLimit(absl::string_view text) {
  if (text == "none") return OrDefault<int64_t>();
  ASSIGN_OR_RETURN(const int64_t millicpus, ParseMillicpus(text));
  return OrDefault<int64_t>(millicpus);
}

v1::UpdateGroupRequest RequestFor(const GroupSetOptions& options) {
  v1::UpdateGroupRequest request;
  v1::Group& group = *request.mutable_group();
  group.set_name(GroupName(options.group));
  group.set_etag(options.etag);
  // An etag says that there is such a group: made anew it would be another.
  request.set_allow_missing(options.etag.empty());
  google::protobuf::FieldMask& mask = *request.mutable_update_mask();
  if (options.parent_option->count() > 0) {
    mask.add_paths("parent");
    group.set_parent(GroupName(options.parent));
  }
  if (options.shares_option->count() > 0) {
    mask.add_paths("shares");
    if (options.shares.has_value()) group.set_shares(*options.shares);
  }
  if (options.limit_option->count() > 0) {
    mask.add_paths("limit_millicpus");
    if (options.limit.has_value()) group.set_limit_millicpus(*options.limit);
  }
  if (mask.paths().empty()) request.clear_update_mask();
  return request;
}

absl::StatusOr<ExitCode> SetGroup(Session& session,
                                  const GroupSetOptions& options) {
  ASSIGN_OR_RETURN(
      const v1::Group group,
      session.connection().Call(session.connection().policy(),
                                &v1::PolicyService::Stub::UpdateGroup,
                                RequestFor(options)));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(group));
    return ExitCode::kDone;
  }
  session.Print(absl::StrCat("set ", Sanitized(GroupId(group.name())), "\n"));
  return ExitCode::kDone;
}

}  // namespace

void AddGroupSetCommand(CLI::App& group, Action& chosen) {
  const auto options = std::make_shared<GroupSetOptions>();
  CLI::App* set =
      group.add_subcommand("set", "Define a group, or change what is given");
  set->add_option("GROUP", options->group, "staff or groups/staff")->required();
  options->parent_option = set->add_option("--parent", options->parent,
                                           "The group that it is in, or root");
  options->shares_option = AddParsedOption(
      *set, "--shares", options->shares, DefaultOr<int32_t>(ParseInt32),
      "Relative weight among its siblings, 1..10000, or 'default'");
  options->limit_option = AddParsedOption(
      *set, "--limit", options->limit, ParseGroupLimit,
      "A limit on the sum of its members: CPUs of 10m..10000cpu, or none");
  set->add_option("--etag", options->etag,
                  "Change it only if this is its etag");
  set->callback([options, &chosen] {
    chosen = [options](Session& session) {
      return SetGroup(session, *options);
    };
  });
}

}  // namespace fairsched::client
