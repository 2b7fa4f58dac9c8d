// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/adopted_sampler.h"

#include <memory>
#include <utility>

#include "agent/core/status_macros.h"

namespace fairsched::kernel {
namespace {

// A sum of which a part is unknown is unknown.
void Add(const std::optional<int64_t>& part, std::optional<int64_t>& sum) {
  if (!part.has_value()) {
    sum.reset();
  } else if (sum.has_value()) {
    *sum += *part;
  }
}

}  // namespace

absl::StatusOr<core::Sample> AdoptedSampler::Take(const core::Policy&,
                                                  absl::Duration now) {
  const std::shared_ptr<const Adoption> adoption = deps_.adoption.Latest();
  core::Sample sample;
  sample.at = now;
  ASSIGN_OR_RETURN(sample.node, deps_.node.Read());
  for (const AdoptedCgroup& cgroup : adoption->cgroups) {
    const std::optional<core::CgroupSample> read = Read(cgroup);
    if (!read.has_value()) continue;
    const bool is_first =
        sample.users.empty() || sample.users.back().id != cgroup.user;
    if (is_first) {
      sample.users.push_back({.id = cgroup.user, .threads = 0, .processes = 0});
    }
    core::UserSample& user = sample.users.back();
    Add(cgroup.threads, user.threads);
    Add(cgroup.processes, user.processes);
    user.cgroups.push_back(*read);
  }
  deps_.table.DropGone();
  return sample;
}

std::optional<core::CgroupSample> AdoptedSampler::Read(
    const AdoptedCgroup& cgroup) {
  if (cgroup.refused == runtime::NotEnforced::kNested)
    return core::CgroupSample{.inode = RefusedInode(cgroup.inode)};
  const absl::StatusOr<CgroupTable::Reading> reading =
      deps_.table.Read(cgroup.path);
  // Gone is normal. What can't be read for another reason is not known, and
  // guessing would charge somebody: left out just so.
  if (!reading.ok()) return std::nullopt;
  core::CgroupSample sample = reading->Sample();
  if (cgroup.refused.has_value()) sample.inode = RefusedInode(sample.inode);
  sample.arena = cgroup.arena;
  return sample;
}

}  // namespace fairsched::kernel
