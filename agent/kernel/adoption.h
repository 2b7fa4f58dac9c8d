// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_ADOPTION_H_
#define FAIRSCHED_AGENT_KERNEL_ADOPTION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/core/policy.h"
#include "agent/runtime/node.h"

namespace fairsched::kernel {

// A cgroup that somebody else made, and the user whose it is.
struct AdoptedCgroup {
  core::UserId user;
  std::string path;  // below the mount: "/user.slice/user-1001.slice"
  uint64_t inode = 0;
  int32_t arena = 0;  // index into Adoption::arenas
  // In it and below, as of the scan; unset: unknown.
  std::optional<int64_t> processes, threads;
  // Why no value of it is ever written; unset: decisions reach it. One that is
  // kNested is not counted as its user's either.
  std::optional<runtime::NotEnforced> refused;
  std::string why_refused;
};

// Which cgroups are whose, as of one scan.
struct Adoption {
  std::vector<AdoptedCgroup> cgroups;  // by user, then by path
  // The parents of those that are not refused, by path: weights of siblings are
  // relative to each other, and to nothing else.
  std::vector<std::string> arenas;
};

// The identity that a refused cgroup has in samples and decisions, so that
// nobody takes it for one that may be written. No directory has it: inode
// numbers of cgroups are small.
constexpr uint64_t RefusedInode(uint64_t inode) {
  return (uint64_t{1} << 62) | inode;
}

// Thread-safe.
class AdoptionSource {
 public:
  virtual ~AdoptionSource() = default;
  // As of the last scan; never null.
  virtual std::shared_ptr<const Adoption> Latest() const = 0;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_ADOPTION_H_
