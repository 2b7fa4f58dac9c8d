// SPDX-License-Identifier: Apache-2.0
// OwnTree::Place() and its steps.
#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/cgroup_procs.h"
#include "agent/kernel/own_tree.h"
#include "agent/kernel/way_out.h"

namespace fairsched::kernel {
namespace {

// The sampler reads a group's last usage between the first and the second.
constexpr int kEmptyCallsToRemove = 2;

}  // namespace

bool OwnTree::Group::Holds(int64_t pid) const {
  return !members.empty() &&
         std::all_of(members.begin(), members.end(), [pid](const auto& pids) {
           return pids.has_value() && pids->contains(pid);
         });
}

bool OwnTree::Group::IsEmpty() const {
  return std::all_of(members.begin(), members.end(), [](const auto& pids) {
    return pids.has_value() && pids->empty();
  });
}

PlaceReport OwnTree::Place(const Placing& placing) {
  PlaceReport report;
  report.first_error.Update(RegainCpu());
  journal_->ForgetDead(placing.alive);
  ReadMembers(report);
  const std::vector<int64_t> missing = RecordMissingGroups(placing);
  const std::vector<Move> moves = RecordMoves(placing, report);
  const absl::Status flushed = journal_->Flush();
  report.first_error.Update(flushed);
  if (flushed.ok()) {
    MakeGroups(missing, report);
    MoveIn(moves, report);
  } else {
    report.failed += static_cast<int64_t>(moves.size());
  }
  MoveStrangersOut(placing, report);
  RemoveEmptyGroups(placing, report);
  return report;
}

void OwnTree::ReadMembers(PlaceReport& report) {
  for (auto& [uid, group] : groups_) {
    group.members.clear();
    for (const TreeMount& mount : layout_.mounts()) {
      absl::StatusOr<absl::flat_hash_set<int64_t>> pids =
          ReadCgroupProcs(deps_.fs, mount.path + layout_.Group(uid));
      if (pids.ok()) {
        group.members.emplace_back(*std::move(pids));
      } else if (absl::IsNotFound(pids.status())) {
        // Somebody has removed it: it is made anew, if it is needed.
        group.whole = false;
        group.members.emplace_back(absl::flat_hash_set<int64_t>());
      } else {
        report.first_error.Update(pids.status());
        group.members.emplace_back(std::nullopt);
      }
    }
  }
}

std::vector<int64_t> OwnTree::RecordMissingGroups(const Placing& placing) {
  std::vector<int64_t> missing;
  for (const auto& [uid, pids] : placing.pids_by_uid) {
    if (groups_[uid].whole) continue;
    missing.push_back(uid);
    for (const TreeMount& mount : layout_.mounts())
      journal_->RecordDirectory(mount.path + layout_.Group(uid));
  }
  return missing;
}

std::vector<OwnTree::Move> OwnTree::RecordMoves(const Placing& placing,
                                                PlaceReport& report) {
  std::vector<Move> moves;
  for (const auto& [uid, pids] : placing.pids_by_uid) {
    const Group& group = groups_[uid];
    for (const int64_t pid : pids) {
      if (pid == agent_pid_) continue;
      if (group.whole && group.Holds(pid)) {
        ++report.placed;
        continue;
      }
      const Move move{.pid = pid, .uid = uid};
      const absl::Status status = RecordOrigin(move);
      if (status.ok()) {
        moves.push_back(move);
      } else if (!absl::IsNotFound(status)) {
        ++report.failed;
        report.first_error.Update(status);
      }
    }
  }
  return moves;
}

void OwnTree::MakeGroups(const std::vector<int64_t>& missing,
                         PlaceReport& report) {
  for (const int64_t uid : missing) {
    absl::Status status;
    for (const TreeMount& mount : layout_.mounts())
      status.Update(deps_.fs.MakeDirectory(mount.path + layout_.Group(uid)));
    groups_[uid].whole = status.ok();
    // The tree itself is gone: no group can be made before it is.
    if (absl::IsNotFound(status)) is_open_ = false;
    report.first_error.Update(status);
  }
}

void OwnTree::MoveIn(const std::vector<Move>& moves, PlaceReport& report) {
  for (const Move& move : moves) {
    const absl::Status status =
        groups_[move.uid].whole
            ? MoveTo(layout_.Group(move.uid), move.pid)
            : absl::UnavailableError("there is no group to move into");
    if (status.ok()) {
      ++report.moved;
      ++report.placed;
    } else if (!absl::IsNotFound(status)) {
      ++report.failed;
      report.first_error.Update(status);
    }
  }
}

void OwnTree::MoveStrangersOut(const Placing& placing, PlaceReport& report) {
  WayOut way_out(deps_.fs, deps_.proc_root, journal_->entries());
  for (const auto& [uid, group] : groups_) {
    absl::flat_hash_map<int64_t, absl::Status> results;  // by pid
    for (size_t mount = 0; mount < group.members.size(); ++mount) {
      if (!group.members[mount].has_value()) continue;
      for (const int64_t pid : *group.members[mount]) {
        if (pid == agent_pid_ || !placing.others.contains(pid)) continue;
        results[pid].Update(way_out.Move(pid, uid, mount));
      }
    }
    for (const auto& [pid, status] : results) {
      if (status.ok()) {
        ++report.moved;
      } else if (!absl::IsNotFound(status)) {
        ++report.failed;
        report.first_error.Update(status);
      }
    }
  }
}

void OwnTree::RemoveEmptyGroups(const Placing& placing, PlaceReport& report) {
  for (auto next = groups_.begin(); next != groups_.end();) {
    const auto current = next++;
    auto& [uid, group] = *current;
    const bool in_use = placing.pids_by_uid.contains(uid);
    group.empty_calls = in_use || !group.IsEmpty() ? 0 : group.empty_calls + 1;
    if (group.empty_calls < kEmptyCallsToRemove) continue;
    const absl::Status status = RemoveGroup(uid);
    if (status.ok()) {
      groups_.erase(current);
    } else if (!absl::IsUnavailable(status)) {  // somebody came in: next time
      report.first_error.Update(status);
    }
  }
}

absl::Status OwnTree::RemoveGroup(int64_t uid) {
  // A group that is removed halfway is one no more.
  groups_[uid].whole = false;
  for (const TreeMount& mount : layout_.mounts())
    RETURN_IF_ERROR(deps_.fs.RemoveDirectory(mount.path + layout_.Group(uid)));
  for (const TreeMount& mount : layout_.mounts())
    journal_->ForgetDirectory(mount.path + layout_.Group(uid));
  journal_->ForgetFirstOrigin(uid);
  return absl::OkStatus();
}

}  // namespace fairsched::kernel
