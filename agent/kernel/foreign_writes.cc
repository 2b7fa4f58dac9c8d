// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/foreign_writes.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "agent/kernel/tree_layout.h"

namespace fairsched::kernel {
namespace {

using runtime::DriftCause;

bool IsServiceManagers(const std::set<std::string>& files) {
  return files.contains("cpu.idle") && files.contains("cpu.max");
}

}  // namespace

bool ForeignWrites::Follow(uint64_t inode, const std::string& directory) {
  if (watch_ == nullptr) return false;
  if (Follows(inode)) return true;
  // One that was made anew: the old one is gone, and so is its watch's worth.
  if (const auto old = inodes_.find(directory); old != inodes_.end())
    Forget(old->second);
  if (!Watch(directory)) return false;
  // Without the parent's, a reload of one unit looks like set-property.
  followed_[inode] = {.directory = directory,
                      .with_parent = Watch(ParentOf(directory))};
  inodes_[directory] = inode;
  return true;
}

void ForeignWrites::Forget(uint64_t inode) {
  const auto found = followed_.find(inode);
  if (found == followed_.end()) return;
  const Followed followed = std::move(found->second);
  followed_.erase(found);
  inodes_.erase(followed.directory);
  Unwatch(followed.directory);
  if (followed.with_parent) Unwatch(ParentOf(followed.directory));
}

std::map<uint64_t, DriftCause> ForeignWrites::Take(absl::Duration at) {
  Gather();
  std::map<uint64_t, DriftCause> causes;
  if (written_.empty() && !lost_) return causes;
  for (const auto& [inode, followed] : followed_) {
    const std::string& directory = followed.directory;
    const auto files = written_.find(directory);
    if (files == written_.end() || files->second.empty()) {
      if (lost_) causes[inode] = DriftCause::kUnknown;
      continue;
    }
    const bool service_manager = IsServiceManagers(files->second);
    causes[inode] =
        service_manager ? DriftCause::kSetProperty : DriftCause::kOtherWriter;
    if (!service_manager) continue;
    const bool elsewhere_too =
        applied_to_ != inode && at - applied_at_ < kReloadSpan;
    if (elsewhere_too || ParentTouched(directory)) reload_at_ = at;
    applied_to_ = inode;
    applied_at_ = at;
  }
  if (at - reload_at_ < kReloadSpan) {
    for (auto& [inode, cause] : causes) {
      if (cause == DriftCause::kSetProperty) cause = DriftCause::kReload;
    }
  }
  written_.clear();
  lost_ = false;
  return causes;
}

void ForeignWrites::Gather() {
  if (watch_ == nullptr) return;
  ModifyWatch::Batch batch = watch_->Drain();
  lost_ = lost_ || batch.lost;
  for (ModifyWatch::Event& event : batch.events) {
    const auto directory = directories_.find(event.watch);
    if (directory == directories_.end() ||
        !absl::StartsWith(event.file, "cpu.")) {
      continue;
    }
    written_[directory->second].insert(std::move(event.file));
  }
}

void ForeignWrites::Disregard(uint64_t inode, absl::string_view file) {
  const auto followed = followed_.find(inode);
  if (followed == followed_.end()) return;
  const auto files = written_.find(followed->second.directory);
  if (files != written_.end()) files->second.erase(std::string(file));
}

bool ForeignWrites::Watch(const std::string& directory) {
  Watched& watched = watched_[directory];
  if (watched.uses == 0) {
    const absl::StatusOr<int> watch = watch_->Add(directory);
    if (!watch.ok()) {
      watched_.erase(directory);
      return false;
    }
    watched.watch = *watch;
    directories_[*watch] = directory;
  }
  ++watched.uses;
  return true;
}

void ForeignWrites::Unwatch(const std::string& directory) {
  const auto found = watched_.find(directory);
  if (found == watched_.end() || --found->second.uses > 0) return;
  watch_->Remove(found->second.watch);
  directories_.erase(found->second.watch);
  written_.erase(directory);
  watched_.erase(found);
}

bool ForeignWrites::ParentTouched(const std::string& directory) const {
  const auto files = written_.find(ParentOf(directory));
  return files != written_.end() && IsServiceManagers(files->second);
}

}  // namespace fairsched::kernel
