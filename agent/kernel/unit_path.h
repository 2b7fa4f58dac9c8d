// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_UNIT_PATH_H_
#define FAIRSCHED_AGENT_KERNEL_UNIT_PATH_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

// Where systemd has the cgroups of its units (systemd.slice(5)).
namespace fairsched::kernel {

// Below it each login has its slice.
inline constexpr absl::string_view kUserSlice = "/user.slice";

// N of "user-N.slice"; nullopt for any other name.
std::optional<int64_t> UidOfUserSlice(absl::string_view name);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_UNIT_PATH_H_
