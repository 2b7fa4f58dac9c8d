// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CLAIMS_H_
#define FAIRSCHED_AGENT_KERNEL_CLAIMS_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "agent/core/policy.h"
#include "agent/kernel/file_system.h"

namespace fairsched::kernel {

// Who says that a cgroup is its own, and by what.
struct Claim {
  // The firmest first.
  enum class Kind { kUid, kImplicit };
  Kind kind = Kind::kImplicit;
  core::UserId user;

  // The firmer one has the cgroup; of equals, the first by id.
  friend auto operator<=>(const Claim&, const Claim&) = default;
};

struct Claims {
  std::map<std::string, Claim> by_path;  // below the mount: the firmest of each
  absl::Status first_error;  // of a directory that could not be listed
};

// The claims that `policy` makes on the cgroups below `mount`, a unified tree
// as systemd lays it out: a uid has its /user.slice/user-UID.slice.
Claims FindClaims(FileSystem& fs, const std::string& mount,
                  const core::Policy& policy);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CLAIMS_H_
