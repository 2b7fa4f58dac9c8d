// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CLAIMS_H_
#define FAIRSCHED_AGENT_KERNEL_CLAIMS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "agent/core/policy.h"
#include "agent/kernel/file_system.h"

namespace fairsched::kernel {

// Who says that a cgroup is its own, and by what.
struct Claim {
  // The firmest first.
  enum class Kind { kUid, kUnit, kPath, kGlob, kUnixGroup, kImplicit };
  Kind kind = Kind::kImplicit;
  int glob_rank = 0;  // of kGlob: the longer the pattern, the less
  core::UserId user;

  // The firmer one has the cgroup; of equals, the first by id.
  friend auto operator<=>(const Claim&, const Claim&) = default;
};

// At most so many cgroups are looked at in one search: those of a node with
// ten thousand users, and some more.
inline constexpr size_t kMaxListedCgroups = 65536;

struct Claims {
  std::map<std::string, Claim> by_path;  // below the mount: the firmest of each
  // Where cgroups that are claimed come and go: absolute paths.
  std::set<std::string> directories;
  std::set<int64_t> uids;  // whose slices are there
  // Of what could not be listed, or was too much; OK: these are all.
  absl::Status first_error;
};

// The claims that `policy` makes on the cgroups below `mount`, a unified tree
// as systemd lays it out: a uid has its /user.slice/user-UID.slice; a unit is
// found by name in the slices of the system. A path that is claimed need not be
// there.
Claims FindClaims(FileSystem& fs, const std::string& mount,
                  const core::Policy& policy);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CLAIMS_H_
