// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/node_sampler.h"

#include <map>
#include <memory>
#include <utility>

#include "agent/core/status_macros.h"

namespace fairsched::kernel {
namespace {

void Add(std::optional<int64_t>& sum, int64_t count) {
  sum = sum.value_or(0) + count;
}

}  // namespace

absl::StatusOr<core::Sample> NodeSampler::Take(const core::Policy& policy,
                                               absl::Duration now) {
  const std::shared_ptr<const Population> population =
      deps_.population.Latest();
  const bool placing = population->placing;
  if (!placing && observed_.has_value() && observed_->at == population->at)
    return *observed_;
  core::Sample sample;
  sample.at = placing ? now : population->at;
  ASSIGN_OR_RETURN(sample.node, deps_.node.Read());
  std::map<core::UserId, core::UserSample> users;
  for (const UidPopulation& uid : population->uids) {
    const std::optional<core::UserId> id = policy.UserOfUid(uid.uid);
    if (!id.has_value()) continue;
    const std::optional<core::CgroupSample> cgroup =
        SampleUid(uid, placing && !policy.Of(*id).exempt);
    if (!cgroup.has_value()) continue;
    core::UserSample& user = users[*id];
    user.cgroups.push_back(*cgroup);
    Add(user.threads, uid.threads);
    Add(user.processes, uid.processes);
    user.sampled = user.sampled || uid.cgroup.empty();
  }
  for (auto& [id, user] : users) {
    user.id = id;
    sample.users.push_back(std::move(user));
  }
  deps_.table.DropGone();
  observed_.reset();
  if (!placing) observed_ = sample;
  return sample;
}

std::optional<core::CgroupSample> NodeSampler::SampleUid(
    const UidPopulation& uid, bool wait_for_group) {
  if (uid.cgroup.empty()) {
    if (wait_for_group) return std::nullopt;
    core::CgroupSample result;
    result.inode = SampledInode(uid.uid);
    result.usage = uid.sampled_usage;
    return result;
  }
  const absl::StatusOr<CgroupTable::Reading> reading =
      deps_.table.Read(uid.cgroup);
  // Gone is normal. What can't be read for another reason is not known, and
  // guessing would charge somebody: left out just so.
  if (!reading.ok()) return std::nullopt;
  return reading->Sample();
}

}  // namespace fairsched::kernel
