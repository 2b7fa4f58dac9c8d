// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_NAMES_H_
#define FAIRSCHED_CLIENT_NAMES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "client/table.h"
#include "fairsched/v1/node_service.pb.h"
#include "fairsched/v1/policy.pb.h"
#include "fairsched/v1/usage_service.pb.h"

namespace fairsched::client {

// "users/alice" for "alice" as for "users/alice".
std::string UserName(absl::string_view id_or_name);

// The inverse: "alice".
std::string UserId(absl::string_view name);

// The same of a group. The root's name is "", its id "root".
std::string GroupName(absl::string_view id_or_name);
std::string GroupId(absl::string_view name);

// Words for the values of the API, as people read them: "held", "all spent".
// "?" for those that this client does not know.
std::string Word(v1::UserUsage::State state);
std::string Word(v1::UserUsage::NotEnforcedReason reason);
std::string Word(v1::NodeStatus::Enforcement enforcement);
std::string Word(v1::WindowReport::EndCause cause);
std::string Word(v1::Mode mode);
std::string Word(v1::Pacing pacing);

// What a state is shown in: green for those who get what they want, yellow for
// those without tokens, red for those who are held back.
Colour ColourOf(v1::UserUsage::State state);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_NAMES_H_
