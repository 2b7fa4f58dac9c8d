// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_EXPAND_H_
#define FAIRSCHED_AGENT_CORE_EXPAND_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace fairsched::core {

// A user with `expand` stands for many: each cgroup or uid that it selects is a
// user of its own, with its terms.

// What is added to the id: a hyphen and eight hexadecimal digits.
inline constexpr size_t kExpandedBytes = 9;

// The id of the part of `base` that `match` is: the path of a cgroup, or
// "uid-N". The same in every process.
std::string ExpandedId(absl::string_view base, absl::string_view match);

// The user that `id` may be a part of; nullopt: it has no such form.
std::optional<std::string> BaseOfExpanded(absl::string_view id);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_EXPAND_H_
