// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_actuator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/cgroup.h"
#include "agent/kernel/cpu_weight.h"

namespace fairsched::kernel {
namespace {

// The sweep is for writers that come once, such as a reload of the service
// manager: it may take its time, for it costs two reads per cgroup.
constexpr double kSweptPerSecond = 0.1;

// An idle cgroup has no weight to differ in.
bool Same(const core::CpuValues& a, const core::CpuValues& b) {
  return a.idle == b.idle && (a.idle || a.weight == b.weight);
}

std::string Describe(const core::CpuValues& values) {
  return values.idle ? "idle" : absl::StrCat("weight ", values.weight);
}

core::CpuValues TargetOf(const core::CpuValues& wanted, bool has_idle) {
  if (!wanted.idle || has_idle) return wanted;
  return {.weight = kMinWeight, .idle = false};
}

runtime::NotEnforced ProblemOf(const absl::Status& error) {
  switch (error.code()) {
    case absl::StatusCode::kNotFound:
      return runtime::NotEnforced::kGone;
    case absl::StatusCode::kPermissionDenied:
      return runtime::NotEnforced::kPermission;
    case absl::StatusCode::kFailedPrecondition:
      return runtime::NotEnforced::kReadOnly;
    case absl::StatusCode::kUnimplemented:
      return runtime::NotEnforced::kNoController;
    default:
      return runtime::NotEnforced::kUnsupported;
  }
}

}  // namespace

runtime::ApplyReport CgroupActuator::Apply(const core::Decision& decision) {
  StartReport();
  Sweep(decision.at, decision.node.elapsed);
  for (const core::UserDecision& user : decision.users) {
    for (const core::CgroupDecision& cgroup : user.cgroups)
      Enforce(cgroup.inode, cgroup.wanted, decision.at);
  }
  return FinishReport();
}

void CgroupActuator::Adjust(const std::vector<core::CgroupDecision>& changes,
                            absl::Duration at) {
  for (const core::CgroupDecision& cgroup : changes)
    Enforce(cgroup.inode, cgroup.wanted, at);
}

runtime::ApplyReport CgroupActuator::Release() {
  StartReport();
  std::vector<uint64_t> inodes;
  for (const auto& [inode, held] : held_) inodes.push_back(inode);
  for (const uint64_t inode : inodes) {
    Cgroup& cgroup = *table_.Find(inode);
    Held& held = held_.at(inode);
    absl::Status status = Look(cgroup, held);
    if (status.ok()) status = Write(cgroup, held, core::CpuValues());
    held.drifted = false;
    held.dispute = Dispute();
    held.problem.reset();
    held.problem_text.clear();
    if (!status.ok()) Fail(inode, status);
  }
  return FinishReport();
}

void CgroupActuator::StartReport() {
  counts_.attempted_writes = 0;
  counts_.failed_writes = 0;
  std::erase_if(held_, [this](const auto& each) {
    return table_.Find(each.first) == nullptr;
  });
}

runtime::ApplyReport CgroupActuator::FinishReport() {
  runtime::ApplyReport report = counts_;
  report.reads = table_.reads();
  report.cgroups.reserve(held_.size());
  for (const auto& [inode, held] : held_) {
    report.cgroups[inode] = {.path = held.path,
                             .values = held.now,
                             .problem = held.problem,
                             .problem_text = held.problem_text};
  }
  return report;
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
  std::vector<uint64_t> due;
  for (const auto& [inode, held] : held_) {
    if (held.dispute.Recent(at)) due.push_back(inode);
  }
  for (auto next = held_.upper_bound(swept_); left > 0; --left, ++next) {
    if (next == held_.end()) next = held_.begin();
    swept_ = next->first;
    if (!next->second.dispute.Recent(at)) due.push_back(swept_);
  }
  for (const uint64_t inode : due) {
    const absl::Status status = Look(*table_.Find(inode), held_.at(inode));
    if (!status.ok()) Fail(inode, status);
  }
}

void CgroupActuator::Enforce(uint64_t inode, const core::CpuValues& wanted,
                             absl::Duration at) {
  Cgroup* const cgroup = table_.Find(inode);
  if (cgroup == nullptr) return;
  Held& held = held_[inode];
  if (held.path.empty()) held.path = cgroup->path();
  absl::Status status;
  if (!held.now.has_value()) status = Look(*cgroup, held);
  const core::CpuValues target = TargetOf(wanted, cgroup->has_idle());
  if (status.ok() && Same(*held.now, target)) {
    held.drifted = false;
  } else if (status.ok() && (!held.drifted || held.dispute.MayForce(at))) {
    if (held.drifted) held.dispute.Forced(at);
    held.drifted = false;
    status = Write(*cgroup, held, target);
  }
  if (!status.ok()) {
    Fail(inode, status);
    return;
  }
  held.problem.reset();
  held.problem_text.clear();
  if (!held.drifted && !held.dispute.Lost(at)) return;
  held.problem = runtime::NotEnforced::kOtherWriter;
  held.problem_text = absl::StrCat(
      held.path, " is to have ", Describe(target),
      held.drifted ? absl::StrCat(" and has ", Describe(*held.now)) : "",
      ": another writer keeps changing it");
}

absl::Status CgroupActuator::Look(Cgroup& cgroup, Held& held) {
  const absl::StatusOr<core::CpuValues> found = cgroup.ReadValues();
  if (!found.ok()) {
    held.now.reset();
    return found.status();
  }
  if (held.now.has_value() && !Same(*held.now, *found)) {
    ++counts_.drifts;
    held.drifted = true;
  }
  held.now = *found;
  return absl::OkStatus();
}

absl::Status CgroupActuator::Write(Cgroup& cgroup, Held& held,
                                   const core::CpuValues& target) {
  if (Same(*held.now, target)) return absl::OkStatus();
  const auto set_idle = [&](bool idle) {
    return Count(Cgroup::kIdleFile, cgroup.SetIdle(idle));
  };
  absl::Status status;
  if (held.now->idle != target.idle) {
    status = set_idle(target.idle);
    // Leaving idle, the kernel starts from its default.
    if (status.ok()) held.now = {.weight = kDefaultWeight, .idle = target.idle};
  }
  if (status.ok() && !Same(*held.now, target)) {
    status = Count(cgroup.weight_file(), cgroup.SetWeight(target.weight));
    if (status.ok()) held.now->weight = target.weight;
  }
  // Also after a failure: it may be due to a value that is not as we think.
  const absl::Status looked = Look(cgroup, held);
  return status.ok() ? looked : status;
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

void CgroupActuator::Fail(uint64_t inode, const absl::Status& error) {
  if (absl::IsNotFound(error)) {
    held_.erase(inode);
    table_.Drop(inode);
    return;
  }
  Held& held = held_.at(inode);
  held.problem = ProblemOf(error);
  held.problem_text = std::string(error.message());
}

}  // namespace fairsched::kernel
