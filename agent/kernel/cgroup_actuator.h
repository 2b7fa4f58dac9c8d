// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CGROUP_ACTUATOR_H_
#define FAIRSCHED_AGENT_KERNEL_CGROUP_ACTUATOR_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "agent/core/decision.h"
#include "agent/kernel/cgroup_table.h"
#include "agent/kernel/dispute.h"
#include "agent/runtime/node.h"

namespace fairsched::kernel {

// Gives groups of ours the values that are decided for them: those that the
// table has open; decisions for anything else (a sampled user) are let pass.
//
// Every own write is read back at once. Beyond that a tenth of the cgroups a
// second is looked at, and every one in a dispute: a value that another writer
// changed is counted as drift and put back, slower once it is put back all the
// time, which is then reported as kOtherWriter even while the value holds.
//
// Where the kernel has no cpu.idle, an idle cgroup gets the least weight.
//
// For the control thread alone: not thread-safe.
class CgroupActuator final : public runtime::Actuator {
 public:
  // `table` must outlive this.
  explicit CgroupActuator(CgroupTable& table) : table_(table) {}

  runtime::ApplyReport Apply(const core::Decision& decision) override;
  void Adjust(const std::vector<core::CgroupDecision>& changes,
              absl::Duration at) override;
  // To the kernel's defaults: groups of ours had no others before.
  runtime::ApplyReport Release() override;

 private:
  // One cgroup that a decision named.
  struct Held {
    std::string path;
    std::optional<core::CpuValues> now;  // in the kernel; unset: not known
    bool drifted = false;                // `now` is what another writer made it
    Dispute dispute;
    std::optional<runtime::NotEnforced> problem;
    std::string problem_text;
  };

  void StartReport();
  runtime::ApplyReport FinishReport();
  // Looks at those whose turn it is, `elapsed` after the last time.
  void Sweep(absl::Duration at, absl::Duration elapsed);
  void Enforce(uint64_t inode, const core::CpuValues& wanted,
               absl::Duration at);
  // What the kernel has; drift, if that is not `now`.
  absl::Status Look(Cgroup& cgroup, Held& held);
  // Makes `now` the `target`, by as few writes as that takes.
  absl::Status Write(Cgroup& cgroup, Held& held, const core::CpuValues& target);
  absl::Status Count(absl::string_view file, absl::Status written);
  // Forgets it, if `error` says that it is gone; else it has a problem.
  void Fail(uint64_t inode, const absl::Status& error);

  CgroupTable& table_;
  std::map<uint64_t, Held> held_;  // by inode
  uint64_t swept_ = 0;  // the last inode that the sweep has looked at
  // Counts since the start, and of this Apply() or Release().
  runtime::ApplyReport counts_;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CGROUP_ACTUATOR_H_
