// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_CONVERT_OVERRIDE_H_
#define FAIRSCHED_SERVER_CONVERT_OVERRIDE_H_

#include "absl/status/statusor.h"
#include "agent/core/policy.h"
#include "fairsched/v1/override.pb.h"
#include "server/policy_contents.h"

namespace fairsched::server {

// Of users/{id}. Of what its kind does not have, nothing.
v1::Override ToProto(const core::UserId& id, const DefinedOverride& override);

// What a request orders. INVALID_ARGUMENT, blaming fields below "override.", if
// it says no kind or no expiration, or one that is no time.
absl::StatusOr<OverrideOrder> ToOrder(const v1::Override& override);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_CONVERT_OVERRIDE_H_
