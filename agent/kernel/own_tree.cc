// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/own_tree.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/delegation.h"
#include "agent/kernel/features.h"
#include "agent/kernel/process_scan.h"

namespace fairsched::kernel {
namespace {

// A hundred times what a user has by default: the daemon answers however many
// users' processes are runnable. The unified tree ends at 10000.
constexpr absl::string_view kAgentShares = "102400";
constexpr absl::string_view kAgentWeight = "10000";

// A thousand CPUs: never reached. While any cgroup has a ceiling, setting the
// first and lifting the last one of the others does not make the kernel patch
// its own code, with interrupts on all CPUs (cfs_bandwidth_used(), a static
// branch of kernel/sched/fair.c).
constexpr absl::string_view kAgentQuota = "100000000";
constexpr absl::string_view kAgentMax = "100000000 100000";

// Whoever turns the controller off again and again is not fought.
constexpr absl::Duration kFirstRegain = absl::Seconds(1);
constexpr absl::Duration kLastRegain = absl::Minutes(1);

}  // namespace

absl::Status OwnTree::Open(int64_t agent_pid) {
  if (!journal_.has_value()) RETURN_IF_ERROR(BeginJournal());
  for (const TreeMount& mount : layout_.mounts()) {
    const std::string parent = CgroupPath(mount.path, layout_.parent());
    const absl::Status status = deps_.fs.Inode(parent).status();
    if (absl::IsNotFound(status)) {
      return absl::FailedPreconditionError(
          absl::StrCat("the parent cgroup ", parent, " is not there"));
    }
    RETURN_IF_ERROR(status);
  }
  RETURN_IF_ERROR(
      MakeDirectories({layout_.root(), layout_.agent(), layout_.users()}));
  // First of all: we may be the process that is in the parent's way.
  if (agent_pid != 0) RETURN_IF_ERROR(JoinAgent(agent_pid));
  if (layout_.backend() == Backend::kUnified) RETURN_IF_ERROR(TurnOnCpu());
  RETURN_IF_ERROR(RaiseAgent());
  RETURN_IF_ERROR(AdoptGroups());
  is_open_ = true;
  return absl::OkStatus();
}

std::optional<std::string> OwnTree::GroupOf(int64_t uid) const {
  const auto group = groups_.find(uid);
  if (group == groups_.end() || !group->second.whole) return std::nullopt;
  return layout_.Group(uid);
}

std::vector<int64_t> OwnTree::Uids() const {
  std::vector<int64_t> uids;
  for (const auto& [uid, group] : groups_) {
    if (group.whole) uids.push_back(uid);
  }
  return uids;
}

DissolveReport OwnTree::Dissolve() {
  is_open_ = false;
  groups_.clear();
  if (!journal_.has_value()) return {};
  DissolveReport report = DissolveTree(deps_, journal_->entries());
  // What is left needs its journal: by the next Open(), or after our end.
  if (report.left.empty()) report.first_error.Update(journal_->Remove());
  journal_.reset();
  return report;
}

std::vector<std::string> OwnTree::Features() const {
  std::vector<std::string> directories;
  for (const TreeMount& mount : layout_.mounts())
    directories.push_back(mount.path + layout_.agent());
  return FeaturesOf(deps_.fs, directories);
}

absl::Status OwnTree::BeginJournal() {
  ASSIGN_OR_RETURN(const std::string boot_id,
                   ReadBootId(deps_.fs, deps_.proc_root));
  ASSIGN_OR_RETURN(std::optional<JournalEntries> left,
                   LoadJournal(file_, boot_id));
  JournalEntries entries;
  entries.boot_id = boot_id;
  entries.root = layout_.root();
  entries.mounts = layout_.mount_paths();
  if (left.has_value()) {
    if (left->root != entries.root || left->mounts != entries.mounts) {
      return absl::FailedPreconditionError(
          absl::StrCat("journal ", file_.name(), " is of another tree, ",
                       left->root, ": release that first"));
    }
    entries = *std::move(left);
  }
  ASSIGN_OR_RETURN(journal_, Journal::Begin(file_, std::move(entries)));
  return absl::OkStatus();
}

absl::Status OwnTree::MakeDirectories(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    for (const TreeMount& mount : layout_.mounts())
      journal_->RecordDirectory(mount.path + path);
  }
  RETURN_IF_ERROR(journal_->Flush());
  for (const std::string& path : paths) {
    for (const TreeMount& mount : layout_.mounts())
      RETURN_IF_ERROR(deps_.fs.MakeDirectory(mount.path + path));
  }
  return absl::OkStatus();
}

absl::Status OwnTree::TurnOnCpu() {
  const std::string& mount = layout_.mounts().front().path;
  const std::string parent = layout_.parent().empty() ? "/" : layout_.parent();
  for (const std::string& path : {parent, layout_.root(), layout_.users()}) {
    ASSIGN_OR_RETURN(const bool on, IsCpuOnBelow(deps_.fs, mount, path));
    if (on) continue;
    if (path == parent) {
      journal_->RecordEnabled(CgroupPath(mount, path));
      RETURN_IF_ERROR(journal_->Flush());
    }
    const absl::Status status = TurnOnCpuBelow(deps_.fs, mount, path);
    if (!status.ok()) {
      journal_->ForgetEnabled(CgroupPath(mount, path));
      return status;
    }
  }
  return absl::OkStatus();
}

absl::Status OwnTree::RegainCpu() {
  if (layout_.backend() != Backend::kUnified) return absl::OkStatus();
  const absl::Duration now = deps_.clock.Now();
  ASSIGN_OR_RETURN(
      const bool on,
      IsCpuOnBelow(deps_.fs, layout_.mounts().front().path, layout_.users()));
  if (on) {
    regain_wait_ = absl::ZeroDuration();
    return absl::OkStatus();
  }
  if (now < regain_at_) {
    return absl::FailedPreconditionError(absl::StrCat(
        "somebody has turned off the cpu controller in ", layout_.users(),
        ": it is turned on again in ", absl::FormatDuration(regain_at_ - now)));
  }
  regain_wait_ = std::clamp(2 * regain_wait_, kFirstRegain, kLastRegain);
  regain_at_ = now + regain_wait_;
  RETURN_IF_ERROR(TurnOnCpu());
  return RaiseAgent();
}

absl::Status OwnTree::RaiseAgent() {
  const bool unified = layout_.backend() == Backend::kUnified;
  const std::string agent =
      absl::StrCat(layout_.mounts().front().path, layout_.agent());
  // It may be refused where a parent has a ceiling; then that serves as well.
  deps_.fs
      .Write(agent + (unified ? "/cpu.max" : "/cpu.cfs_quota_us"),
             unified ? kAgentMax : kAgentQuota)
      .IgnoreError();
  return deps_.fs.Write(agent + (unified ? "/cpu.weight" : "/cpu.shares"),
                        unified ? kAgentWeight : kAgentShares);
}

absl::Status OwnTree::JoinAgent(int64_t agent_pid) {
  agent_pid_ = agent_pid;
  RETURN_IF_ERROR(RecordOrigin({.pid = agent_pid, .uid = 0}));
  RETURN_IF_ERROR(journal_->Flush());
  return MoveTo(layout_.agent(), agent_pid);
}

absl::Status OwnTree::AdoptGroups() {
  for (const TreeMount& mount : layout_.mounts()) {
    ASSIGN_OR_RETURN(const std::vector<std::string> names,
                     deps_.fs.ListDirectories(mount.path + layout_.users()));
    for (const std::string& name : names) {
      const std::optional<int64_t> uid = UidOfGroup(name);
      if (uid.has_value()) groups_.try_emplace(*uid);
    }
  }
  // One may be in some mounts only.
  for (auto& [uid, group] : groups_) {
    RETURN_IF_ERROR(MakeDirectories({layout_.Group(uid)}));
    group.whole = true;
  }
  return absl::OkStatus();
}

absl::Status OwnTree::RecordOrigin(const Move& move) {
  ASSIGN_OR_RETURN(const ProcPidStat stat,
                   ReadProcPidStat(deps_.fs, deps_.proc_root, move.pid));
  ASSIGN_OR_RETURN(const std::vector<ProcCgroup> lines,
                   ReadProcCgroup(deps_.fs, deps_.proc_root, move.pid));
  Origin origin;
  for (const TreeMount& mount : layout_.mounts()) {
    std::optional<std::string> path = PathIn(lines, mount.controller);
    if (!path.has_value() || path->empty() || IsOutside(*path)) {
      return absl::FailedPreconditionError(absl::StrCat(
          "move process ", move.pid, ": its cgroup in ", mount.path,
          " can't be seen from here, so it could not go back"));
    }
    // Born here: the way out is found by who its ancestors are.
    if (layout_.Contains(*path)) return absl::OkStatus();
    origin.push_back(*std::move(path));
  }
  journal_->RecordProcess(move.pid, {.start_ticks = stat.start_ticks,
                                     .uid = move.uid,
                                     .origin = std::move(origin)});
  return absl::OkStatus();
}

absl::Status OwnTree::MoveTo(const std::string& path, int64_t pid) {
  for (const TreeMount& mount : layout_.mounts()) {
    RETURN_IF_ERROR(deps_.fs.Write(
        absl::StrCat(mount.path, path, "/cgroup.procs"), absl::StrCat(pid)));
  }
  return absl::OkStatus();
}

}  // namespace fairsched::kernel
