// SPDX-License-Identifier: Apache-2.0
#include "server/convert_group.h"

#include "agent/core/status_macros.h"
#include "server/convert_time.h"
#include "server/field_mask.h"
#include "server/resource_name.h"

namespace fairsched::server {
namespace {

constexpr char kParent[] = "parent";
constexpr char kShares[] = "shares";
constexpr char kLimit[] = "limit_millicpus";

std::vector<std::string> AllFields() { return {kParent, kShares, kLimit}; }

FieldSet Populated(const v1::Group& group) {
  FieldSet fields;
  if (!group.parent().empty()) fields.insert(kParent);
  if (group.has_shares()) fields.insert(kShares);
  if (group.has_limit_millicpus()) fields.insert(kLimit);
  return fields;
}

absl::StatusOr<GroupPatch> PatchOf(const v1::Group& group,
                                   const FieldSet& fields) {
  GroupPatch patch;
  if (fields.contains(kParent)) {
    patch.parent.emplace();
    if (!group.parent().empty()) {
      ASSIGN_OR_RETURN(*patch.parent,
                       ParseGroupName(group.parent(), "group.parent"));
    }
  }
  if (fields.contains(kShares)) {
    patch.shares =
        group.has_shares() ? group.shares() : core::GroupPolicy().shares;
  }
  if (fields.contains(kLimit)) {
    patch.limit_millicpus.emplace();
    if (group.has_limit_millicpus())
      *patch.limit_millicpus = group.limit_millicpus();
  }
  return patch;
}

}  // namespace

v1::Group ToProto(const DefinedGroup& group) {
  v1::Group proto;
  proto.set_name(GroupName(group.policy.id));
  proto.set_parent(GroupName(group.policy.parent));
  proto.set_shares(group.policy.shares);
  if (group.policy.limit_millicpus.has_value())
    proto.set_limit_millicpus(*group.policy.limit_millicpus);
  proto.set_etag(group.etag);
  *proto.mutable_create_time() = ToProto(group.create_time);
  *proto.mutable_update_time() = ToProto(group.update_time);
  return proto;
}

v1::GroupUsage ToProto(const core::GroupDecision& group) {
  v1::GroupUsage proto;
  proto.set_group(GroupName(group.id));
  proto.set_parent(GroupName(group.parent));
  proto.set_shares(group.shares);
  if (group.limit_cpus.has_value()) proto.set_limit_cpus(*group.limit_cpus);
  proto.set_at_limit(group.at_limit);
  proto.set_member_count(group.members);
  proto.set_cpus(group.cpus);
  proto.set_entitlement_cpus(group.entitlement_cpus);
  *proto.mutable_balance() = ToProto(group.balance);
  *proto.mutable_used() = ToProto(group.used);
  *proto.mutable_surplus() = ToProto(group.surplus);
  *proto.mutable_stolen() = ToProto(group.stolen);
  *proto.mutable_total_used() = ToProto(group.totals.used);
  return proto;
}

absl::StatusOr<GroupPatch> ToPatch(const v1::Group& group) {
  const std::vector<std::string> all = AllFields();
  return PatchOf(group, FieldSet(all.begin(), all.end()));
}

absl::StatusOr<GroupPatch> ToPatch(const v1::Group& group,
                                   const google::protobuf::FieldMask& mask) {
  ASSIGN_OR_RETURN(const FieldSet fields,
                   ResolveMask(mask, {.allowed = AllFields(),
                                      .populated = Populated(group)}));
  return PatchOf(group, fields);
}

}  // namespace fairsched::server
