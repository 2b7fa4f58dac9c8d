// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/discovery.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/cgroup_procs.h"
#include "agent/kernel/claims.h"
#include "agent/kernel/kernel_text.h"
#include "agent/kernel/tree_layout.h"

namespace fairsched::kernel {
namespace {

using ClaimOfPath = std::pair<const std::string, Claim>;

// The outermost claimed cgroup that `path` is inside of; null: none.
const ClaimOfPath* Around(const std::map<std::string, Claim>& claims,
                          const std::string& path) {
  const ClaimOfPath* outermost = nullptr;
  for (std::string above = ParentOf(path); above != "/";
       above = ParentOf(above)) {
    const auto found = claims.find(above);
    if (found != claims.end()) outermost = &*found;
  }
  return outermost;
}

bool IsAtOrBelow(absl::string_view path, absl::string_view above) {
  return path == above || absl::StartsWith(path, absl::StrCat(above, "/"));
}

// The pids controller counts threads, for what is below, too. It may be off.
std::optional<int64_t> CountThreads(FileSystem& fs, const std::string& cgroup) {
  const absl::StatusOr<std::string> text = fs.Read(cgroup + "/pids.current");
  if (!text.ok()) return std::nullopt;
  const absl::StatusOr<int64_t> count =
      ParseCount(FirstWord(*text), "pids.current");
  return count.ok() ? std::optional<int64_t>(*count) : std::nullopt;
}

void Refuse(runtime::NotEnforced reason, std::string why,
            AdoptedCgroup& cgroup) {
  cgroup.refused = reason;
  cgroup.why_refused = std::move(why);
}

// In order of path, which is not that of the cgroups.
void NumberArenas(Adoption& adoption) {
  std::set<std::string> parents;
  for (const AdoptedCgroup& cgroup : adoption.cgroups) {
    if (!cgroup.refused.has_value()) parents.insert(ParentOf(cgroup.path));
  }
  adoption.arenas.assign(parents.begin(), parents.end());
  for (AdoptedCgroup& cgroup : adoption.cgroups) {
    const auto arena = std::lower_bound(
        adoption.arenas.begin(), adoption.arenas.end(), ParentOf(cgroup.path));
    cgroup.arena = static_cast<int32_t>(arena - adoption.arenas.begin());
  }
}

}  // namespace

Discovered Discover(FileSystem& fs, const std::string& mount,
                    const core::Policy& policy, const std::string& own_cgroup) {
  const Claims claims = FindClaims(fs, mount, policy);
  Discovered result{.directories = claims.directories,
                    .uids = claims.uids,
                    .first_error = claims.first_error};
  std::vector<AdoptedCgroup>& cgroups = result.adoption.cgroups;
  for (const auto& [path, claim] : claims.by_path) {
    const ClaimOfPath* const around = Around(claims.by_path, path);
    if (around != nullptr && around->second.user == claim.user) continue;
    const std::string directory = CgroupPath(mount, path);
    const absl::StatusOr<uint64_t> inode = fs.Inode(directory);
    if (absl::IsNotFound(inode.status())) continue;
    result.first_error.Update(inode.status());
    if (!inode.ok()) continue;
    if (cgroups.size() == kMaxAdoptedCgroups) {
      result.first_error.Update(absl::ResourceExhaustedError(
          absl::StrCat(claims.by_path.size(), " cgroups are users', and ",
                       kMaxAdoptedCgroups, " is the most that are managed")));
      break;
    }
    AdoptedCgroup& cgroup = cgroups.emplace_back(
        AdoptedCgroup{.user = claim.user, .path = path, .inode = *inode});
    if (around != nullptr) {
      Refuse(runtime::NotEnforced::kNested,
             absl::StrCat(path, " is inside ", around->first,
                          ", which is users/", around->second.user),
             cgroup);
      continue;
    }
    cgroup.processes = CountProcesses(fs, directory);
    cgroup.threads = CountThreads(fs, directory);
    if (IsAtOrBelow(own_cgroup, path) && !policy.Of(claim.user).exempt) {
      Refuse(runtime::NotEnforced::kOwnCgroup,
             absl::StrCat("the daemon itself runs in ", path), cgroup);
    }
  }
  std::stable_sort(cgroups.begin(), cgroups.end(),
                   [](const AdoptedCgroup& a, const AdoptedCgroup& b) {
                     return a.user < b.user;
                   });
  NumberArenas(result.adoption);
  return result;
}

}  // namespace fairsched::kernel
