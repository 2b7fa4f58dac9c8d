// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_KERNEL_NODE_H_
#define FAIRSCHED_SERVER_KERNEL_NODE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/core/policy.h"
#include "agent/kernel/cgroup_actuator.h"
#include "agent/kernel/cgroup_table.h"
#include "agent/kernel/classifier.h"
#include "agent/kernel/journal_file.h"
#include "agent/kernel/node_counters.h"
#include "agent/kernel/node_sampler.h"
#include "agent/kernel/release.h"
#include "agent/kernel/uid_watch.h"
#include "agent/runtime/clock.h"

namespace fairsched::server {

// Where a node's kernel is, and what we may do there.
struct KernelOptions {
  std::string proc_root = "/proc";
  std::string cpus_online = "/sys/devices/system/cpu/online";
  std::string cgroup_parent;  // of our tree, below the mounts; "": their roots
  std::string journal_path;
  bool may_place = false;  // own placement was asked for
  int64_t agent_pid = 0;   // 0: the daemon stays in the cgroup that it is in
};

// The node as the kernel has it: all that a control loop stands between, put
// together. Sampler and actuator are the control thread's, placement() and
// SetPolicy() anybody's, the rest one thread's.
class KernelNode {
 public:
  // What `fs` and `clock` are must outlive it. An error where the node's own
  // counters can't be read. A node without a cpu controller, or where placing
  // was not asked for, can be observed only: why_observe_only().
  static absl::StatusOr<std::unique_ptr<KernelNode>> Make(
      kernel::FileSystem& fs, const runtime::Clock& clock,
      const KernelOptions& options, std::shared_ptr<const core::Policy> policy);

  runtime::Sampler& sampler() { return sampler_; }
  runtime::Actuator& actuator() { return actuator_; }
  const runtime::Placement& placement() const { return classifier_; }
  // OK: decisions can be enforced.
  const absl::Status& why_observe_only() const { return why_observe_only_; }

  // The first round of classification, so that who runs is known; then the
  // others, in a thread of their own, and at once when the kernel tells of
  // somebody new, where it does.
  absl::Status FirstRound() { return classifier_.Round(); }
  void Start();
  void SetPolicy(std::shared_ptr<const core::Policy> policy) {
    classifier_.SetPolicy(std::move(policy));
  }
  // Puts processes back and removes our cgroups.
  absl::Status Stop();

 private:
  struct Parts;
  KernelNode(Parts parts, kernel::FileSystem& fs,
             std::shared_ptr<const core::Policy> policy);

  const absl::Status why_observe_only_;
  kernel::DiskJournalFile journal_;
  kernel::Classifier classifier_;
  kernel::CgroupTable table_;
  kernel::NodeCounters counters_;
  kernel::NodeSampler sampler_;
  kernel::CgroupActuator actuator_;
  std::optional<kernel::UidWatch> watch_;
};

// What `fairschedd --release` does: undoes what a daemon that is no more left.
absl::StatusOr<kernel::ReleaseReport> ReleaseNode(kernel::FileSystem& fs,
                                                  const runtime::Clock& clock,
                                                  const KernelOptions& options);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_KERNEL_NODE_H_
