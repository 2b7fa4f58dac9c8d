// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_CONVERT_USER_H_
#define FAIRSCHED_SERVER_CONVERT_USER_H_

#include "absl/status/statusor.h"
#include "fairsched/v1/policy.pb.h"
#include "google/protobuf/field_mask.pb.h"
#include "server/policy_contents.h"

namespace fairsched::server {

v1::User ToProto(const DefinedUser& user);

// Every field of `user` that may be set, for a new user. INVALID_ARGUMENT,
// blaming a field below "user.", for a selector that selects nothing.
absl::StatusOr<UserPatch> ToPatch(const v1::User& user);

// The fields that `mask` means. INVALID_ARGUMENT also of "update_mask".
absl::StatusOr<UserPatch> ToPatch(const v1::User& user,
                                  const google::protobuf::FieldMask& mask);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_CONVERT_USER_H_
