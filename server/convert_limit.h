// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_CONVERT_LIMIT_H_
#define FAIRSCHED_SERVER_CONVERT_LIMIT_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "agent/core/policy.h"
#include "agent/core/validate.h"
#include "fairsched/v1/policy.pb.h"

namespace fairsched::server {

v1::Limit ToProto(const core::Limit& limit);
v1::Steal ToProto(const core::Steal& steal);

// Nullopt, with a violation of `field` or below it, for what has no kind, or a
// duration that is none. Ranges are core's matter.
std::optional<core::Limit> FromProto(const v1::Limit& limit,
                                     absl::string_view field,
                                     core::Violations& violations);
std::optional<core::Steal> FromProto(const v1::Steal& steal,
                                     absl::string_view field,
                                     core::Violations& violations);
std::optional<core::CpuTime> CpuTimeFrom(
    const google::protobuf::Duration& duration, absl::string_view field,
    core::Violations& violations);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_CONVERT_LIMIT_H_
