// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/adopter.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/features.h"
#include "agent/kernel/process_scan.h"

namespace fairsched::kernel {
namespace {

std::vector<std::string> NotesOn(const Adoption& adoption) {
  if (adoption.arenas.size() < 2) return {};
  constexpr size_t kNamed = 5;
  std::string arenas;
  for (size_t i = 0; i < std::min(kNamed, adoption.arenas.size()); ++i)
    absl::StrAppend(&arenas, i > 0 ? ", " : "", adoption.arenas[i]);
  if (adoption.arenas.size() > kNamed)
    absl::StrAppend(&arenas, " and ", adoption.arenas.size() - kNamed, " more");
  return {absl::StrCat(
      "users' cgroups are in ", adoption.arenas.size(), " arenas (", arenas,
      "): weights and demotion work among the children of each; how much each "
      "as a whole gets, the weights of their parents say, which are left as "
      "they are")};
}

}  // namespace

Adopter::Adopter(FileSystem& fs, const runtime::Clock& clock, Options options,
                 std::shared_ptr<const core::Policy> policy)
    : fs_(fs),
      clock_(clock),
      options_(std::move(options)),
      policy_(std::move(policy)) {
  progress_.backend = "unified";
  progress_.placement = "adopt";
  progress_.scan_interval = ScanPace::kShortestInterval;
  report_ = std::make_shared<const runtime::PlacementReport>(progress_);
  adoption_ = std::make_shared<const Adoption>();
}

absl::Status Adopter::Round() {
  std::shared_ptr<const core::Policy> policy;
  {
    runtime::MutexLock lock(mutex_);
    policy = policy_;
  }
  const absl::Duration start = clock_.Now();
  const absl::StatusOr<std::string> own = OwnCgroup();
  Discovered found =
      Discover(fs_, options_.mount, *policy, own.value_or(std::string()));
  const absl::Duration took = clock_.Now() - start;

  progress_.cgroups = 0;
  for (const AdoptedCgroup& cgroup : found.adoption.cgroups) {
    if (cgroup.refused.has_value()) continue;
    if (progress_.cgroups++ == 0)
      progress_.features = FeaturesOf(fs_, {options_.mount + cgroup.path});
  }
  directories_ = std::move(found.directories);
  if (watch_ != nullptr) watch_->Set(directories_);
  progress_.uids = std::move(found.uids);
  progress_.notes = NotesOn(found.adoption);
  ++progress_.scans;
  progress_.scan_time = took;
  progress_.scan_interval = ScanPace::IntervalAfter(took);
  progress_.last_error = own.status();
  progress_.last_error.Update(found.first_error);
  runtime::MutexLock lock(mutex_);
  adoption_ = std::make_shared<const Adoption>(std::move(found.adoption));
  report_ = std::make_shared<const runtime::PlacementReport>(progress_);
  return progress_.last_error;
}

void Adopter::Start() {
  absl::StatusOr<std::unique_ptr<CgroupWatch>> watch =
      CgroupWatch::Open([this] { return Hurry(); });
  // Without it newcomers are found by the scans alone.
  if (watch.ok()) {
    watch_ = *std::move(watch);
    watch_->Set(directories_);
  }
  worker_.Start(progress_.scan_interval, [this] {
    // Whatever failed is in the report.
    Round().IgnoreError();
    return progress_.scan_interval;
  });
}

absl::Status Adopter::Stop() {
  worker_.Stop();
  watch_.reset();
  return absl::OkStatus();
}

absl::Duration Adopter::Hurry() {
  worker_.Wake();
  return ScanPace::RestAfter(Report()->scan_time);
}

void Adopter::SetPolicy(std::shared_ptr<const core::Policy> policy) {
  {
    runtime::MutexLock lock(mutex_);
    policy_ = std::move(policy);
  }
  worker_.Wake();
}

std::shared_ptr<const runtime::PlacementReport> Adopter::Report() const {
  runtime::MutexLock lock(mutex_);
  return report_;
}

std::shared_ptr<const Adoption> Adopter::Latest() const {
  runtime::MutexLock lock(mutex_);
  return adoption_;
}

// Below the mount; "" where it can't be seen from here.
absl::StatusOr<std::string> Adopter::OwnCgroup() {
  if (options_.agent_pid == 0) return std::string();
  ASSIGN_OR_RETURN(const std::vector<ProcCgroup> lines,
                   ReadProcCgroup(fs_, options_.proc_root, options_.agent_pid));
  std::string path = PathIn(lines, "").value_or("");
  return IsOutside(path) ? std::string() : std::move(path);
}

}  // namespace fairsched::kernel
