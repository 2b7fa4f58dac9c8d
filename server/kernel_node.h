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
#include "agent/kernel/adopter.h"
#include "agent/kernel/cgroup_actuator.h"
#include "agent/kernel/cgroup_table.h"
#include "agent/kernel/classifier.h"
#include "agent/kernel/journal_file.h"
#include "agent/kernel/modify_watch.h"
#include "agent/kernel/node_counters.h"
#include "agent/kernel/originals.h"
#include "agent/kernel/placer.h"
#include "agent/kernel/release.h"
#include "agent/kernel/uid_watch.h"
#include "agent/runtime/clock.h"
#include "server/placement.h"

namespace fairsched::server {

// Where a node's kernel is, and what we may do there.
struct KernelOptions {
  std::string proc_root = "/proc";
  std::string cpus_online = "/sys/devices/system/cpu/online";
  // Of our tree, below the mounts; "": their roots. nullopt: the cgroup of the
  // unit that we are where PID 1 is systemd, else the roots.
  std::optional<std::string> cgroup_parent;
  std::string journal_path;
  Placement placement = Placement::kAuto;
  int64_t agent_pid = 0;  // 0: the daemon stays in the cgroup that it is in
};

// The node as the kernel has it: all that a control loop stands between, put
// together. Sampler and actuator are the control thread's, placement() and
// SetPolicy() anybody's, the rest one thread's.
class KernelNode {
 public:
  // What `fs` and `clock` are must outlive it. An error where the node's own
  // counters can't be read. A node without a cpu controller, or without a
  // placement that works on it, can be observed only: why_observe_only().
  static absl::StatusOr<std::unique_ptr<KernelNode>> Make(
      kernel::FileSystem& fs, const runtime::Clock& clock,
      const KernelOptions& options, std::shared_ptr<const core::Policy> policy);

  runtime::Sampler& sampler() { return *sampler_; }
  runtime::Actuator& actuator() { return *actuator_; }
  const runtime::Placement& placement() const { return *placer_; }
  // OK: decisions can be enforced.
  const absl::Status& why_observe_only() const { return why_observe_only_; }

  // What a predecessor left could not all be undone; OK: it could.
  const absl::Status& left_over() const { return left_over_; }

  // One round of placement, so that it is known who is there, and of the
  // journal of values, so that they may be written to; and, from Start() on,
  // the others, in a thread of their own, and at once when the kernel tells of
  // somebody new, where it does.
  absl::Status Round();
  void Start();
  void SetPolicy(std::shared_ptr<const core::Policy> policy) {
    placer_->SetPolicy(std::move(policy));
  }
  // Puts processes back and removes our cgroups. The loop must be stopped.
  absl::Status Stop();

 private:
  struct Parts;
  KernelNode(Parts parts, kernel::FileSystem& fs);
  void PlaceOwn(kernel::TreeDeps tree, kernel::Classifier::Options options,
                std::shared_ptr<const core::Policy> policy);
  absl::Status Adopt(const kernel::TreeDeps& tree,
                     const kernel::Hierarchies& hierarchies,
                     kernel::Adopter::Options options,
                     std::shared_ptr<const core::Policy> policy);

  const absl::Status why_observe_only_;
  kernel::DiskJournalFile journal_;
  kernel::CgroupTable table_;
  kernel::NodeCounters counters_;
  std::unique_ptr<kernel::ModifyWatch> watch_;  // null: there is none
  std::optional<kernel::Originals> originals_;  // unset: not adopting
  std::optional<kernel::CgroupActuator> cgroup_actuator_;  // set once made
  // By placement; never null once it is made.
  std::unique_ptr<kernel::Placer> placer_;
  std::unique_ptr<runtime::Sampler> sampler_;
  std::unique_ptr<runtime::Actuator> adopted_actuator_;  // null: not adopting
  runtime::Actuator* actuator_ = nullptr;  // never null once it is made
  absl::Status left_over_;
  bool wants_uid_hints_ = false;
  std::optional<kernel::UidWatch> uid_watch_;
};

// What `fairschedd --release` does: undoes what a daemon that is no more left.
absl::StatusOr<kernel::ReleaseReport> ReleaseNode(kernel::FileSystem& fs,
                                                  const runtime::Clock& clock,
                                                  const KernelOptions& options);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_KERNEL_NODE_H_
