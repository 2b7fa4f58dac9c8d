// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_CONVERT_SETTINGS_H_
#define FAIRSCHED_SERVER_CONVERT_SETTINGS_H_

#include "absl/status/statusor.h"
#include "agent/core/policy.h"
#include "fairsched/v1/policy.pb.h"
#include "google/protobuf/field_mask.pb.h"
#include "server/policy_contents.h"

namespace fairsched::server {

v1::Mode ToProto(core::Mode mode);
v1::Settings ToProto(const DefinedSettings& settings);

// The settings that `mask` means; one that it names and that is not set gets
// its default, a list becomes what it is. INVALID_ARGUMENT of "update_mask", or
// of a field below "settings." that is not a value of its type.
absl::StatusOr<SettingsPatch> ToPatch(const v1::Settings& settings,
                                      const google::protobuf::FieldMask& mask);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_CONVERT_SETTINGS_H_
