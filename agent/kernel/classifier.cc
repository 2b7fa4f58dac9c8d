// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/classifier.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/release.h"

namespace fairsched::kernel {
namespace {

std::string BackendName(const std::optional<TreeLayout>& layout) {
  if (!layout.has_value()) return "none";
  return layout->backend() == Backend::kUnified ? "unified" : "legacy";
}

Placing PlacingOf(const Census& census, const ProcessScan& scan) {
  Placing placing{.others = census.nobodys, .alive = scan.pids};
  for (const auto& [uid, processes] : census.uids) {
    if (processes.exempt) {
      placing.others.insert(processes.pids.begin(), processes.pids.end());
    } else {
      placing.pids_by_uid.emplace(uid, processes.pids);
    }
  }
  return placing;
}

}  // namespace

Classifier::Classifier(TreeDeps deps, JournalFile& journal, Options options,
                       std::shared_ptr<const core::Policy> policy)
    : deps_(std::move(deps)),
      journal_(journal),
      options_(std::move(options)),
      usage_(options_.user_hz),
      policy_(std::move(policy)) {
  if (options_.layout.has_value())
    tree_.emplace(deps_, journal_, *options_.layout);
  progress_.backend = BackendName(options_.layout);
  progress_.placement = "own";
  if (options_.layout.has_value()) progress_.root = options_.layout->root();
  progress_.scan_interval = ScanPace::kShortestInterval;
  report_ = std::make_shared<const runtime::PlacementReport>(progress_);
  population_ = std::make_shared<const Population>();
}

absl::Status Classifier::Round() {
  std::shared_ptr<const core::Policy> policy;
  {
    runtime::MutexLock lock(mutex_);
    policy = policy_;
  }
  const absl::Duration start = deps_.clock.Now();
  absl::Status status = Settle(policy->settings().mode);
  const absl::Duration scan_start = deps_.clock.Now();
  status.Update(Scan(*policy, scan_start));
  const absl::Duration end = deps_.clock.Now();
  // What it took to dissolve a tree is no measure for the next scan.
  progress_.placing = tree_.has_value() && tree_->is_open();
  PublishReport(status, end - (progress_.placing ? start : scan_start));
  return status;
}

void Classifier::Start() {
  worker_.Start(progress_.scan_interval, [this] {
    // Whatever failed is in the report.
    Round().IgnoreError();
    return progress_.scan_interval;
  });
}

absl::Status Classifier::Stop() {
  worker_.Stop();
  const absl::Status status = Dissolve();
  Population population = *Latest();
  population.placing = false;
  for (UidPopulation& uid : population.uids) uid.cgroup.clear();
  runtime::MutexLock lock(mutex_);
  population_ = std::make_shared<const Population>(std::move(population));
  progress_.placing = false;
  progress_.cgroups = 0;
  progress_.processes = 0;
  if (!status.ok()) progress_.last_error = status;
  report_ = std::make_shared<const runtime::PlacementReport>(progress_);
  return status;
}

absl::Duration Classifier::Hurry() {
  worker_.Wake();
  return ScanPace::RestAfter(Report()->scan_time);
}

void Classifier::SetPolicy(std::shared_ptr<const core::Policy> policy) {
  bool is_other_mode = false;
  {
    runtime::MutexLock lock(mutex_);
    is_other_mode = policy->settings().mode != policy_->settings().mode;
    policy_ = std::move(policy);
  }
  if (is_other_mode) worker_.Wake();
}

std::shared_ptr<const runtime::PlacementReport> Classifier::Report() const {
  runtime::MutexLock lock(mutex_);
  return report_;
}

std::shared_ptr<const Population> Classifier::Latest() const {
  runtime::MutexLock lock(mutex_);
  return population_;
}

// Makes the tree be there, or not, as `mode` has it.
absl::Status Classifier::Settle(core::Mode mode) {
  if (mode == core::Mode::kObserve) {
    RETURN_IF_ERROR(Dissolve());
    return ReleaseLeftover();
  }
  if (!tree_.has_value()) {
    return absl::FailedPreconditionError(
        "can't enforce: no cgroup tree of this node has the cpu controller");
  }
  if (tree_->is_open()) return absl::OkStatus();
  RETURN_IF_ERROR(tree_->Open(options_.agent_pid));
  is_settled_ = true;
  progress_.features = tree_->Features();
  return absl::OkStatus();
}

absl::Status Classifier::Scan(const core::Policy& policy, absl::Duration at) {
  // Before the first process is read: what starts later counts whole.
  const absl::StatusOr<int64_t> uptime =
      ReadUptimeTicks(deps_.fs, deps_.proc_root, options_.user_hz);
  usage_.BeginScan(uptime.ok() ? std::optional<int64_t>(*uptime)
                               : std::nullopt);
  ASSIGN_OR_RETURN(const ProcessScan scan,
                   ScanProcesses(deps_.fs, deps_.proc_root));
  const Census census = TakeCensus(policy, scan);
  absl::Status status = uptime.status();
  status.Update(scan.first_error);
  status.Update(Place(census, scan));
  progress_.uids.clear();
  for (const auto& [uid, processes] : census.uids) progress_.uids.insert(uid);
  Sample(census);
  usage_.EndScan();
  PublishPopulation(census, at);
  return status;
}

absl::Status Classifier::Place(const Census& census, const ProcessScan& scan) {
  progress_.processes = 0;
  progress_.cgroups = 0;
  if (!tree_.has_value() || !tree_->is_open()) return absl::OkStatus();
  const PlaceReport placed = tree_->Place(PlacingOf(census, scan));
  progress_.moved += static_cast<uint64_t>(placed.moved);
  progress_.failed_moves += static_cast<uint64_t>(placed.failed);
  progress_.processes = placed.placed;
  progress_.cgroups = static_cast<int64_t>(tree_->Uids().size());
  return placed.first_error;
}

// Whoever has a group is measured there.
void Classifier::Sample(const Census& census) {
  for (const auto& [uid, processes] : census.uids) {
    if (tree_.has_value() && tree_->GroupOf(uid).has_value()) continue;
    for (const int64_t pid : processes.pids) {
      const absl::StatusOr<ProcPidStat> stat =
          ReadProcPidStat(deps_.fs, deps_.proc_root, pid);
      if (stat.ok()) usage_.Add(uid, pid, *stat);
    }
  }
}

void Classifier::PublishPopulation(const Census& census, absl::Duration at) {
  std::map<int64_t, UidPopulation> uids;
  for (const auto& [uid, processes] : census.uids) {
    uids[uid].processes = static_cast<int64_t>(processes.pids.size());
    uids[uid].threads = processes.threads;
  }
  const bool placing = tree_.has_value() && tree_->is_open();
  if (placing) {
    // Groups that are empty by now, too: their last usage is to be read.
    for (const int64_t uid : tree_->Uids())
      uids[uid].cgroup = options_.layout->Group(uid);
  }
  Population population{.at = at, .placing = placing};
  for (auto& [uid, entry] : uids) {
    entry.uid = uid;
    entry.sampled_usage = usage_.Of(uid);
    population.uids.push_back(std::move(entry));
  }
  runtime::MutexLock lock(mutex_);
  population_ = std::make_shared<const Population>(std::move(population));
}

void Classifier::PublishReport(const absl::Status& status,
                               absl::Duration took) {
  ++progress_.scans;
  progress_.scan_time = took;
  progress_.scan_interval = ScanPace::IntervalAfter(took);
  progress_.last_error = status;
  runtime::MutexLock lock(mutex_);
  progress_.notes.clear();
  if (!policy_->unit_selectors().empty() ||
      !policy_->cgroup_selectors().empty()) {
    progress_.notes.emplace_back(
        "units and cgroups select nothing here: users are placed by uid");
  }
  report_ = std::make_shared<const runtime::PlacementReport>(progress_);
}

absl::Status Classifier::Dissolve() {
  if (!tree_.has_value() || tree_->journal() == nullptr)
    return absl::OkStatus();
  const DissolveReport report = tree_->Dissolve();
  progress_.moved += static_cast<uint64_t>(report.processes_moved);
  progress_.failed_moves += static_cast<uint64_t>(report.failed_moves);
  progress_.features.clear();
  is_settled_ = true;  // as far as it goes
  return report.ToStatus();
}

// A predecessor that crashed while enforcing: nobody is to be held by it.
absl::Status Classifier::ReleaseLeftover() {
  if (is_settled_ || !options_.layout.has_value()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const ReleaseReport report,
                   ReleaseFromJournal(deps_, journal_, *options_.layout));
  is_settled_ = true;
  progress_.moved += static_cast<uint64_t>(report.dissolved.processes_moved);
  progress_.failed_moves +=
      static_cast<uint64_t>(report.dissolved.failed_moves);
  RETURN_IF_ERROR(report.journal_problem);
  return report.dissolved.ToStatus();
}

}  // namespace fairsched::kernel
