// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_UNIT_PATH_H_
#define FAIRSCHED_AGENT_KERNEL_UNIT_PATH_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

// Where systemd has the cgroups of its units (systemd.slice(5),
// user@.service(5)).
namespace fairsched::kernel {

// Below it each login has its slice.
inline constexpr absl::string_view kUserSlice = "/user.slice";

// N of "user-N.slice"; nullopt for any other name.
std::optional<int64_t> UidOfUserSlice(absl::string_view name);

// The path of a unit whose name says it: "a-b.slice" is "/a.slice/a-b.slice",
// and "user@N.service" is in the slice of the uid N. nullopt: it may be in any
// slice.
std::optional<std::string> PathOfUnit(absl::string_view unit);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_UNIT_PATH_H_
