// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/held_cgroup.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"

namespace fairsched::kernel {
namespace {

using runtime::DriftCause;
using runtime::NotEnforced;

// The kernel is busy right after a move, for some milliseconds.
constexpr int kMaxPutOff = 5;

NotEnforced ProblemOf(const absl::Status& error) {
  switch (error.code()) {
    case absl::StatusCode::kNotFound:
      return NotEnforced::kGone;
    case absl::StatusCode::kPermissionDenied:
      return NotEnforced::kPermission;
    case absl::StatusCode::kFailedPrecondition:
      return NotEnforced::kReadOnly;
    case absl::StatusCode::kUnimplemented:
      return NotEnforced::kNoController;
    default:
      return NotEnforced::kUnsupported;
  }
}

// A period too short for its timer: the kernel doubles both.
bool IsScaledUp(const CpuMax& from, const CpuMax& to) {
  return from.quota.has_value() && to.quota.has_value() &&
         to.period > from.period &&
         from.quota->Cpus(from.period) == to.quota->Cpus(to.period);
}

void SetText(CpuTexts& texts, const CpuTexts& from, CpuFile file,
             Backend backend) {
  const absl::string_view name = NameOf(file, backend);
  const auto is_it = [name](const auto& text) { return text.first == name; };
  const auto source = std::find_if(from.begin(), from.end(), is_it);
  const auto target = std::find_if(texts.begin(), texts.end(), is_it);
  if (source != from.end() && target != texts.end())
    target->second = source->second;
}

}  // namespace

absl::Status HeldCgroup::Look(Cgroup& cgroup, DriftCause cause, bool* drifted) {
  *drifted = false;
  const absl::StatusOr<CgroupValues> found = cgroup.ReadValues();
  if (!found.ok()) {
    now_.reset();
    return found.status();
  }
  if (!now_.has_value()) {
    // For the first time, or again after the controller was off, which has set
    // all values to the kernel's defaults.
    if (!written_ && !is_ours())
      RETURN_IF_ERROR(Follow(cgroup, *found, DriftCause::kUnknown));
  } else if (!(*now_ == *found)) {
    *drifted = written_ || is_ours();
    drifted_ = *drifted;
    provoked_ =
        cause == DriftCause::kOtherWriter || cause == DriftCause::kUnknown;
    if (!is_ours()) RETURN_IF_ERROR(Follow(cgroup, *found, cause));
  }
  now_ = *found;
  has_period_file_ = cgroup.Has(CpuFile::kPeriod);
  return absl::OkStatus();
}

absl::Status HeldCgroup::Follow(Cgroup& cgroup, const CgroupValues& found,
                                DriftCause cause) {
  ASSIGN_OR_RETURN(const CpuTexts texts, cgroup.ReadTexts());
  if (!written_) {
    own_ = found;
    own_texts_ = texts;
    return absl::OkStatus();
  }
  const auto take = [&](CpuFile file) {
    SetText(*own_texts_, texts, file, cgroup.backend());
  };
  if (cause == DriftCause::kReload || cause == DriftCause::kSetProperty) {
    own_.idle = found.idle;
    own_.weight = found.idle ? own_.weight : found.weight;
    take(CpuFile::kIdle);
    if (!found.idle) take(CpuFile::kWeight);
  }
  if (now_.has_value() && !(now_->max == found.max) &&
      !IsScaledUp(now_->max, found.max)) {
    own_.max = found.max;
    take(CpuFile::kMax);
    take(CpuFile::kPeriod);
  }
  if (now_.has_value() && !ceiling_ours_ && now_->burst != found.burst) {
    own_.burst = found.burst;
    take(CpuFile::kBurst);
  }
  return absl::OkStatus();
}

absl::Status HeldCgroup::Enforce(Cgroup& cgroup, const core::CpuValues& wanted,
                                 absl::Duration at, Wrote wrote) {
  if (!now_.has_value()) {
    bool drifted = false;
    RETURN_IF_ERROR(Look(cgroup, DriftCause::kUnknown, &drifted));
  }
  const CgroupValues target = Target(cgroup, wanted);
  ceiling_ours_ = target.max.quota.has_value() && !(target.max == own_.max);
  if (*now_ == target) {
    drifted_ = false;
  } else if (!drifted_ || !provoked_ || dispute_.MayForce(at)) {
    if (drifted_ && provoked_) dispute_.Forced(at);
    drifted_ = false;
    for (const PlannedWrite& write :
         PlanWrites(*now_, target, cgroup.backend())) {
      written_ = true;
      const absl::Status status = wrote(write.file, cgroup.Write(write));
      // Also after a failure: it may be due to a value that is not as we think.
      if (cgroup.Has(write.file)) unread_.insert(write.file);
      RETURN_IF_ERROR(status);
      Note(write.file, target);
    }
  }
  const bool as_decided = Outward(TargetOf(wanted, own_)) ==
                          Outward(TargetOf(wanted, CgroupValues()));
  own_values_ = as_decided ? "" : Describe(own_);
  SetProblem(target, at);
  return absl::OkStatus();
}

void HeldCgroup::Note(CpuFile file, const CgroupValues& target) {
  switch (file) {
    case CpuFile::kWeight:
      now_->weight = target.weight;
      break;
    case CpuFile::kIdle:
      // Leaving idle, the kernel starts from its default.
      if (!target.idle) now_->weight = kDefaultWeight;
      now_->idle = target.idle;
      unread_.insert(CpuFile::kWeight);
      break;
    case CpuFile::kMax:
      now_->max.quota = target.max.quota;
      break;
    case CpuFile::kPeriod:
      now_->max.period = target.max.period;
      break;
    case CpuFile::kBurst:
      now_->burst = target.burst;
      break;
  }
  // On v2 both are in one file.
  if (file == CpuFile::kMax && !has_period_file_) now_->max = target.max;
}

CgroupValues HeldCgroup::Target(const Cgroup& cgroup,
                                const core::CpuValues& wanted) const {
  CgroupValues target = TargetOf(wanted, own_);
  if (target.idle && !cgroup.Has(CpuFile::kIdle)) {
    target.idle = false;
    target.weight = kMinWeight;
  }
  if (!cgroup.Has(CpuFile::kBurst)) target.burst = core::CpuTime();
  return target;
}

void HeldCgroup::SetProblem(const CgroupValues& target, absl::Duration at) {
  put_off_ = 0;
  problem_.reset();
  problem_text_.clear();
  if (!drifted_ && !dispute_.Lost(at)) return;
  problem_ = NotEnforced::kOtherWriter;
  problem_text_ =
      absl::StrCat(path_, " is to have ", Describe(target),
                   drifted_ ? absl::StrCat(" and has ", Describe(*now_)) : "",
                   ": another writer keeps changing it");
}

absl::Status HeldCgroup::ReadBack(Cgroup& cgroup, bool* drifted) {
  *drifted = false;
  const std::set<CpuFile> files = std::exchange(unread_, {});
  if (!now_.has_value()) return absl::OkStatus();
  CgroupValues found = *now_;
  for (const CpuFile file : files) {
    if (file == CpuFile::kWeight && found.idle) continue;
    if (!cgroup.Has(file)) continue;
    const absl::Status status = cgroup.ReadValue(file, found);
    if (!status.ok()) {
      now_.reset();
      return status;
    }
  }
  if (*now_ == found) return absl::OkStatus();
  *drifted = true;
  drifted_ = true;
  provoked_ = true;
  now_ = found;
  return absl::OkStatus();
}

absl::Status HeldCgroup::Release(Cgroup& cgroup, Wrote wrote) {
  absl::Status status;
  if (is_ours()) {
    bool drifted = false;
    status = Look(cgroup, DriftCause::kUnknown, &drifted);
    const std::vector<PlannedWrite> plan =
        status.ok() ? PlanWrites(*now_, Target(cgroup, {}), cgroup.backend())
                    : std::vector<PlannedWrite>();
    for (const PlannedWrite& write : plan)
      status.Update(wrote(write.file, cgroup.Write(write)));
  } else if (written_) {
    status = cgroup.WriteTexts(
        *own_texts_, [&](CpuFile file, const absl::Status& result) {
          wrote(file, result).IgnoreError();  // is in `status`
        });
  }
  unread_.clear();
  drifted_ = false;
  dispute_ = Dispute();
  problem_.reset();
  problem_text_.clear();
  own_values_.clear();
  if (status.ok()) written_ = false;
  const absl::StatusOr<CgroupValues> now = cgroup.ReadValues();
  now_.reset();
  if (now.ok()) now_ = *now;
  return status;
}

void HeldCgroup::Blame(const absl::Status& error) {
  // It passes: it is tried again without a word, for some ticks.
  if (absl::IsUnavailable(error) && ++put_off_ <= kMaxPutOff) return;
  problem_ = ProblemOf(error);
  problem_text_ = std::string(error.message());
}

runtime::AppliedCgroup HeldCgroup::Report() const {
  runtime::AppliedCgroup report{.path = path_,
                                .values = std::nullopt,
                                .problem = problem_,
                                .problem_text = problem_text_,
                                .own_values = own_values_};
  if (now_.has_value()) report.values = Outward(*now_);
  return report;
}

}  // namespace fairsched::kernel
