// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_ADOPTER_H_
#define FAIRSCHED_AGENT_KERNEL_ADOPTER_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "agent/core/policy.h"
#include "agent/kernel/adoption.h"
#include "agent/kernel/cgroup_watch.h"
#include "agent/kernel/discovery.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/placer.h"
#include "agent/runtime/clock.h"
#include "agent/runtime/mutex.h"
#include "agent/runtime/node.h"
#include "agent/runtime/worker.h"

namespace fairsched::kernel {

// Finds the cgroups that are users' where somebody else, systemd as a rule,
// makes them: by scans, and at once where the kernel tells of a change. Moves
// no process and makes no cgroup: there is nothing for Stop() to undo.
class Adopter final : public Placer, public AdoptionSource {
 public:
  struct Options {
    std::string mount;  // of the unified tree
    std::string proc_root = "/proc";
    int64_t agent_pid = 0;  // this process; 0: its own cgroup is not looked for
  };
  // What `fs` and `clock` are must outlive it.
  Adopter(FileSystem& fs, const runtime::Clock& clock, Options options,
          std::shared_ptr<const core::Policy> policy);

  absl::Status Round() override ABSL_LOCKS_EXCLUDED(mutex_);
  void Start() override ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Stop() override ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Duration Hurry() override ABSL_LOCKS_EXCLUDED(mutex_);
  // The next round comes at once.
  void SetPolicy(std::shared_ptr<const core::Policy> policy) override
      ABSL_LOCKS_EXCLUDED(mutex_);

  std::shared_ptr<const runtime::PlacementReport> Report() const override
      ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<const Adoption> Latest() const override
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  absl::StatusOr<std::string> OwnCgroup();

  FileSystem& fs_;
  const runtime::Clock& clock_;
  const Options options_;
  // Of Round() only, once it is started.
  runtime::PlacementReport progress_;
  std::set<std::string> directories_;   // in which cgroups come and go
  std::unique_ptr<CgroupWatch> watch_;  // of these; null: not on this node

  mutable runtime::Mutex mutex_;
  std::shared_ptr<const core::Policy> policy_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const runtime::PlacementReport> report_
      ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Adoption> adoption_ ABSL_GUARDED_BY(mutex_);

  runtime::Worker worker_;  // last: its thread uses all of the above
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_ADOPTER_H_
