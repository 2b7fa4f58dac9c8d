// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_CONVERT_GROUP_H_
#define FAIRSCHED_SERVER_CONVERT_GROUP_H_

#include "absl/status/statusor.h"
#include "agent/core/decision.h"
#include "fairsched/v1/policy.pb.h"
#include "fairsched/v1/usage_service.pb.h"
#include "google/protobuf/field_mask.pb.h"
#include "server/policy_contents.h"

namespace fairsched::server {

v1::Group ToProto(const DefinedGroup& group);
v1::GroupUsage ToProto(const core::GroupDecision& group);

// Every field of `group` that may be set, for a new group. INVALID_ARGUMENT,
// blaming a field below "group.", for a parent that is no name.
absl::StatusOr<GroupPatch> ToPatch(const v1::Group& group);

// The fields that `mask` means. INVALID_ARGUMENT also of "update_mask".
absl::StatusOr<GroupPatch> ToPatch(const v1::Group& group,
                                   const google::protobuf::FieldMask& mask);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_CONVERT_GROUP_H_
