// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_CONVERT_USAGE_H_
#define FAIRSCHED_SERVER_CONVERT_USAGE_H_

#include "agent/runtime/snapshot.h"
#include "fairsched/v1/usage_service.pb.h"
#include "server/usage_view.h"

namespace fairsched::server {

v1::UserUsage ToProto(const UsageView& view, const ViewedUser& user);

// All zero before the first tick.
v1::NodeUsage NodeUsageOf(const runtime::Snapshot& snapshot);

// CPUs that exempt users used in the last tick: they are measured over a
// second, so this is cut to what nobody's shares account for.
double ExemptCpus(const core::Decision& decision);

// "running", "held", ...
absl::string_view StateName(core::UserState state);
// "permission", "read_only", ...
absl::string_view NotEnforcedName(runtime::NotEnforced reason);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_CONVERT_USAGE_H_
