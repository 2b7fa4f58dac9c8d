// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_RESOURCE_NAME_H_
#define FAIRSCHED_SERVER_RESOURCE_NAME_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/core/policy.h"

namespace fairsched::server {

// "users/alice".
std::string UserName(const core::UserId& id);

// The inverse. INVALID_ARGUMENT, blaming `field` of the request, for anything
// else.
absl::StatusOr<core::UserId> ParseUserName(absl::string_view name,
                                           absl::string_view field);

// "users/alice/override".
std::string OverrideName(const core::UserId& id);

// The user of an override's name. INVALID_ARGUMENT, as above.
absl::StatusOr<core::UserId> ParseOverrideName(absl::string_view name,
                                               absl::string_view field);

// INVALID_ARGUMENT, blaming `field`, if `id` is no id of a user or group.
absl::Status CheckId(absl::string_view id, absl::string_view field);

// "groups/staff"; of the root, "".
std::string GroupName(const core::GroupId& id);

// The inverse, but of the root's. INVALID_ARGUMENT, blaming `field` of the
// request, for anything else.
absl::StatusOr<core::GroupId> ParseGroupName(absl::string_view name,
                                             absl::string_view field);

// The name of the one settings object.
inline constexpr absl::string_view kSettingsName = "settings";

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_RESOURCE_NAME_H_
