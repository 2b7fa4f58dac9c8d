// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CGROUP_ACTUATOR_H_
#define FAIRSCHED_AGENT_KERNEL_CGROUP_ACTUATOR_H_

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "agent/core/decision.h"
#include "agent/kernel/cgroup_table.h"
#include "agent/kernel/foreign_writes.h"
#include "agent/kernel/held_cgroup.h"
#include "agent/kernel/modify_watch.h"
#include "agent/kernel/originals.h"
#include "agent/runtime/node.h"

namespace fairsched::kernel {

// Gives cgroups the values that are decided for them: those that the table has
// open; decisions for anything else (a sampled user) are let pass.
//
// Every own write is read back in the same tick. What others write is told by
// a watch and looked at in the next tick; beyond that a tenth of the cgroups a
// second is looked at, and where there is no watch every one in a dispute. A
// value that another writer changed is counted as drift and put back
// (HeldCgroup says what is not), slower once it is put back all the time,
// which is then reported as kOtherWriter even while the value holds.
//
// A cgroup that isn't ours is written to only when its values are in the
// journal, and gets them back when no decision names it any more.
//
// For the control thread alone: not thread-safe.
class CgroupActuator final : public runtime::Actuator {
 public:
  // What these refer to must outlive this.
  struct Deps {
    CgroupTable& table;
    Originals* originals = nullptr;  // null: all cgroups are ours
    ModifyWatch* watch = nullptr;    // null: there is none
  };
  explicit CgroupActuator(Deps deps) : deps_(deps), foreign_(deps.watch) {}

  runtime::ApplyReport Apply(const core::Decision& decision) override;
  void Adjust(const std::vector<core::CgroupDecision>& changes,
              absl::Duration at) override;
  // To the kernel's defaults in groups of ours, and in others to what would be
  // there without us.
  runtime::ApplyReport Release() override;

 private:
  void StartReport();
  runtime::ApplyReport FinishReport();
  // Looks at those in which others have written.
  void LookAtForeign(absl::Duration at);
  // Looks at those whose turn it is, `elapsed` after the last time.
  void Sweep(absl::Duration at, absl::Duration elapsed);
  void Look(uint64_t inode, runtime::DriftCause cause);
  void Enforce(uint64_t inode, const core::CpuValues& wanted,
               absl::Duration at);
  // What is known of it, to begin with; null: it can't be written to yet.
  HeldCgroup* Hold(uint64_t inode, const Cgroup& cgroup);
  void ReadBack();
  void ReleaseOne(uint64_t inode);
  absl::Status Count(absl::string_view file, absl::Status written);
  void CountDrift(runtime::DriftCause cause, bool drifted);
  // Those of which the cause is sure by now.
  void CountSettled(absl::Duration at);
  // Forgets it, if `error` says that it is gone; else it has a problem.
  void Fail(uint64_t inode, const absl::Status& error);
  void Forget(uint64_t inode);

  const Deps deps_;
  ForeignWrites foreign_;
  std::map<uint64_t, HeldCgroup> held_;  // by inode
  // What can't be journalled, so nothing is written there. By inode.
  std::map<uint64_t, runtime::AppliedCgroup> barred_;
  std::set<uint64_t> named_;  // by this decision
  uint64_t swept_ = 0;        // the last inode that the sweep has looked at
  absl::Duration now_;        // of the last Apply()
  // When drifts came that may yet turn out to be part of a reload.
  std::deque<absl::Duration> unsettled_;
  // Counts since the start, and of this Apply() or Release().
  runtime::ApplyReport counts_;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CGROUP_ACTUATOR_H_
