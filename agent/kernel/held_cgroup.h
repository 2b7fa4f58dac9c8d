// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_HELD_CGROUP_H_
#define FAIRSCHED_AGENT_KERNEL_HELD_CGROUP_H_

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "agent/core/decision.h"
#include "agent/kernel/cgroup.h"
#include "agent/kernel/cgroup_values.h"
#include "agent/kernel/dispute.h"
#include "agent/runtime/node.h"

namespace fairsched::kernel {

// What is known of one cgroup that a decision named: what the kernel holds,
// what it would hold without us, and what is in the way. The Cgroup that the
// calls take is always the same.
//
// Of a group of ours nothing would be there without us. In one that is not, a
// value that others write is theirs to choose, as far as we can tell it from a
// mishap:
// - a ceiling is theirs, whoever wrote it: ours is only ever below it;
// - weight and idle are theirs when the service manager wrote them, which has
//   them from the operator; else they are put back;
// - before our first write everything is.
class HeldCgroup {
 public:
  // `texts`: of a cgroup that isn't ours, from before our first write.
  HeldCgroup(std::string path, std::optional<CpuTexts> texts)
      : path_(std::move(path)), own_texts_(std::move(texts)) {}

  // Called with each file that was written, and how that went; returns that.
  using Wrote = absl::FunctionRef<absl::Status(CpuFile, absl::Status)>;

  // Reads all values. `*drifted`: they are others than those left by us or
  // seen before, by `cause`.
  absl::Status Look(Cgroup& cgroup, runtime::DriftCause cause, bool* drifted);
  // Writes what is missing to `wanted`, unless another writer insists. Where
  // the kernel has no cpu.idle, an idle cgroup gets the least weight.
  absl::Status Enforce(Cgroup& cgroup, const core::CpuValues& wanted,
                       absl::Duration at, Wrote wrote);
  // Reads back what the last Enforce() wrote. `*drifted` as of Look().
  absl::Status ReadBack(Cgroup& cgroup, bool* drifted);
  // Writes what would be there without us. It is to be looked at anew then.
  absl::Status Release(Cgroup& cgroup, Wrote wrote);

  // `error` of a call above is what keeps the values from holding.
  void Blame(const absl::Status& error);

  bool is_looked_at() const { return now_.has_value(); }
  bool is_ours() const { return !own_texts_.has_value(); }
  // To be looked at in every tick.
  bool IsDisputed(absl::Duration at) const { return dispute_.Recent(at); }
  // Files that the last Enforce() wrote and ReadBack() has not read.
  const std::set<CpuFile>& unread() const { return unread_; }
  // Of one that isn't ours: the texts that would be there without us.
  const std::optional<CpuTexts>& own_texts() const { return own_texts_; }
  runtime::AppliedCgroup Report() const;

 private:
  // `found` by looking, not what we left.
  absl::Status Follow(Cgroup& cgroup, const CgroupValues& found,
                      runtime::DriftCause cause);
  // `file` was written, towards `target`.
  void Note(CpuFile file, const CgroupValues& target);
  CgroupValues Target(const Cgroup& cgroup,
                      const core::CpuValues& wanted) const;
  void SetProblem(const CgroupValues& target, absl::Duration at);

  const std::string path_;
  std::optional<CpuTexts> own_texts_;  // unset: it is ours
  CgroupValues own_;                   // what would be there without us
  std::optional<CgroupValues> now_;    // in the kernel; unset: not known
  bool has_period_file_ = false;
  bool drifted_ = false;       // `now_` is what another writer made it
  bool provoked_ = false;      // by one that may well do it again and again
  bool written_ = false;       // by us, and not given back yet
  bool ceiling_ours_ = false;  // the last target had a ceiling of ours
  std::set<CpuFile> unread_;
  Dispute dispute_;
  int put_off_ = 0;  // tries in a row that the kernel was too busy for
  std::optional<runtime::NotEnforced> problem_;
  std::string problem_text_;
  std::string own_values_;  // runtime::AppliedCgroup::own_values
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_HELD_CGROUP_H_
