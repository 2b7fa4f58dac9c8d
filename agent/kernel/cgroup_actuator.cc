// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_actuator.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "agent/kernel/cgroup.h"

namespace fairsched::kernel {
namespace {

using runtime::DriftCause;

// The sweep is for what no watch tells of: it may take its time, for it costs
// some reads per cgroup.
constexpr double kSweptPerSecond = 0.1;

}  // namespace

runtime::ApplyReport CgroupActuator::Apply(const core::Decision& decision) {
  StartReport();
  now_ = decision.at;
  LookAtForeign(decision.at);
  CountSettled(decision.at);
  Sweep(decision.at, decision.node.elapsed);
  named_.clear();
  for (const core::UserDecision& user : decision.users) {
    for (const core::CgroupDecision& cgroup : user.cgroups) {
      named_.insert(cgroup.inode);
      Enforce(cgroup.inode, cgroup.wanted, decision.at);
    }
  }
  std::vector<uint64_t> unnamed;
  for (const auto& [inode, held] : held_) {
    if (!held.is_ours() && !named_.contains(inode)) unnamed.push_back(inode);
  }
  for (const uint64_t inode : unnamed) ReleaseOne(inode);
  ReadBack();
  return FinishReport();
}

void CgroupActuator::Adjust(const std::vector<core::CgroupDecision>& changes,
                            absl::Duration at) {
  for (const core::CgroupDecision& cgroup : changes)
    Enforce(cgroup.inode, cgroup.wanted, at);
  ReadBack();
}

runtime::ApplyReport CgroupActuator::Release() {
  StartReport();
  std::vector<uint64_t> inodes;
  for (const auto& [inode, held] : held_) inodes.push_back(inode);
  for (const uint64_t inode : inodes) ReleaseOne(inode);
  barred_.clear();
  return FinishReport();
}

void CgroupActuator::StartReport() {
  counts_.attempted_writes = 0;
  counts_.failed_writes = 0;
  std::vector<uint64_t> gone;
  for (const auto& [inode, held] : held_) {
    if (deps_.table.Find(inode) == nullptr) gone.push_back(inode);
  }
  for (const auto& [inode, barred] : barred_) {
    if (deps_.table.Find(inode) == nullptr) gone.push_back(inode);
  }
  for (const uint64_t inode : gone) Forget(inode);
}

runtime::ApplyReport CgroupActuator::FinishReport() {
  runtime::ApplyReport report = counts_;
  report.reads = deps_.table.reads();
  report.cgroups.reserve(held_.size());
  for (const auto& [inode, held] : held_) {
    report.cgroups[inode] = held.Report();
    report.unwatched += foreign_.Follows(inode) ? 0 : 1;
  }
  for (const auto& [inode, barred] : barred_) report.cgroups[inode] = barred;
  return report;
}

void CgroupActuator::LookAtForeign(absl::Duration at) {
  for (const auto& [inode, cause] : foreign_.Take(at)) {
    if (held_.contains(inode)) Look(inode, cause);
  }
}

void CgroupActuator::Sweep(absl::Duration at, absl::Duration elapsed) {
  if (held_.empty()) return;
  // A rounding error is not worth a cgroup.
  constexpr double kEpsilon = 1e-6;
  const double part =
      std::clamp(absl::ToDoubleSeconds(elapsed) * kSweptPerSecond, 0.0, 1.0);
  const double count =
      std::ceil(static_cast<double>(held_.size()) * part - kEpsilon);
  auto left = static_cast<size_t>(std::max(1.0, count));
  const auto is_due_anyway = [&](uint64_t inode, const HeldCgroup& held) {
    return held.IsDisputed(at) && !foreign_.Follows(inode);
  };
  std::vector<uint64_t> due;
  for (const auto& [inode, held] : held_) {
    if (is_due_anyway(inode, held)) due.push_back(inode);
  }
  for (auto next = held_.upper_bound(swept_); left > 0; --left, ++next) {
    if (next == held_.end()) next = held_.begin();
    swept_ = next->first;
    if (!is_due_anyway(swept_, next->second)) due.push_back(swept_);
  }
  for (const uint64_t inode : due) {
    // Perhaps there is a watch for it by now.
    foreign_.Follow(inode, deps_.table.Find(inode)->directory());
    Look(inode, DriftCause::kUnknown);
  }
}

void CgroupActuator::Look(uint64_t inode, DriftCause cause) {
  bool drifted = false;
  HeldCgroup& held = held_.at(inode);
  const absl::Status status =
      held.Look(*deps_.table.Find(inode), cause, &drifted);
  CountDrift(cause, drifted);
  if (deps_.originals != nullptr)
    deps_.originals->Update(inode, *held.own_texts());
  if (!status.ok()) Fail(inode, status);
}

void CgroupActuator::Enforce(uint64_t inode, const core::CpuValues& wanted,
                             absl::Duration at) {
  Cgroup* const cgroup = deps_.table.Find(inode);
  if (cgroup == nullptr) return;
  HeldCgroup* const held = Hold(inode, *cgroup);
  if (held == nullptr) return;
  const bool is_new = !held->is_looked_at();
  const absl::Status status =
      held->Enforce(*cgroup, wanted, at, [&](CpuFile file, absl::Status done) {
        return Count(NameOf(file, cgroup->backend()), std::move(done));
      });
  if (is_new && deps_.originals != nullptr)
    deps_.originals->Update(inode, *held->own_texts());
  if (!status.ok()) Fail(inode, status);
}

HeldCgroup* CgroupActuator::Hold(uint64_t inode, const Cgroup& cgroup) {
  const auto known = held_.find(inode);
  if (known != held_.end()) return &known->second;
  // Before its values are read: what is written in between is told of.
  foreign_.Follow(inode, cgroup.directory());
  std::optional<CpuTexts> texts;
  if (deps_.originals != nullptr) {
    absl::StatusOr<CpuTexts> original =
        deps_.originals->Of(inode, cgroup.path());
    if (!original.ok()) {
      // That they are not known yet is so for a tick or two only.
      if (absl::IsUnavailable(original.status())) return nullptr;
      HeldCgroup barred(cgroup.path(), CpuTexts());
      barred.Blame(original.status());
      barred_[inode] = barred.Report();
      return nullptr;
    }
    texts = *std::move(original);
  }
  barred_.erase(inode);
  return &held_.try_emplace(inode, cgroup.path(), std::move(texts))
              .first->second;
}

void CgroupActuator::ReadBack() {
  // First: whatever comes after this is a notice of another's write.
  foreign_.Gather();
  std::vector<std::pair<uint64_t, absl::Status>> failed;
  for (auto& [inode, held] : held_) {
    if (held.unread().empty()) continue;
    Cgroup& cgroup = *deps_.table.Find(inode);
    for (const CpuFile file : held.unread())
      foreign_.Disregard(inode, NameOf(file, cgroup.backend()));
    bool drifted = false;
    const absl::Status status = held.ReadBack(cgroup, &drifted);
    CountDrift(DriftCause::kOtherWriter, drifted);
    if (!status.ok()) failed.emplace_back(inode, status);
  }
  for (const auto& [inode, status] : failed) Fail(inode, status);
}

void CgroupActuator::ReleaseOne(uint64_t inode) {
  Cgroup& cgroup = *deps_.table.Find(inode);
  HeldCgroup& held = held_.at(inode);
  const absl::Status status =
      held.Release(cgroup, [&](CpuFile file, absl::Status done) {
        return Count(NameOf(file, cgroup.backend()), std::move(done));
      });
  // Without the controller there is no value to give back.
  const bool done = status.ok() || absl::IsUnimplemented(status);
  if (done && deps_.originals != nullptr) {
    Forget(inode);
  } else if (!status.ok()) {
    Fail(inode, status);
  }
}

absl::Status CgroupActuator::Count(absl::string_view file,
                                   absl::Status written) {
  if (absl::IsNotFound(written)) return written;
  runtime::FileWrites& writes = counts_.writes[std::string(file)];
  ++counts_.attempted_writes;
  if (written.ok()) {
    ++writes.done;
  } else {
    ++writes.failed;
    ++counts_.failed_writes;
  }
  return written;
}

void CgroupActuator::CountDrift(DriftCause cause, bool drifted) {
  if (!drifted) return;
  if (cause == DriftCause::kSetProperty) {
    unsettled_.push_back(now_);
  } else {
    ++counts_.drifts[cause];
  }
}

void CgroupActuator::CountSettled(absl::Duration at) {
  std::erase_if(unsettled_, [&](absl::Duration when) {
    const bool reload = foreign_.WasReload(when);
    if (!reload && at - when < ForeignWrites::kReloadSpan) return false;
    ++counts_.drifts[reload ? DriftCause::kReload : DriftCause::kSetProperty];
    return true;
  });
}

void CgroupActuator::Fail(uint64_t inode, const absl::Status& error) {
  if (absl::IsNotFound(error)) {
    Forget(inode);
    deps_.table.Drop(inode);
    return;
  }
  held_.at(inode).Blame(error);
}

void CgroupActuator::Forget(uint64_t inode) {
  held_.erase(inode);
  barred_.erase(inode);
  foreign_.Forget(inode);
  if (deps_.originals != nullptr) deps_.originals->Forget(inode);
}

}  // namespace fairsched::kernel
