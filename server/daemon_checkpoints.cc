// SPDX-License-Identifier: Apache-2.0
#include "server/daemon_checkpoints.h"

#include <utility>

#include "absl/status/statusor.h"
#include "agent/core/status_macros.h"
#include "agent/runtime/checkpoint_format.h"

namespace fairsched::server {
namespace {

constexpr absl::Duration kPause = absl::Seconds(1);

absl::StatusOr<core::Checkpoint> Read(kernel::JournalFile& file,
                                      const std::string& boot_id) {
  ASSIGN_OR_RETURN(const std::string text, file.Read());
  return runtime::ParseCheckpoint(file.name(), text, boot_id);
}

}  // namespace

CheckpointKeeper::CheckpointKeeper(const std::string& path, std::string boot_id)
    : boot_id_(std::move(boot_id)),
      files_{kernel::DiskJournalFile(path + ".0"),
             kernel::DiskJournalFile(path + ".1")} {}

std::optional<core::Checkpoint> CheckpointKeeper::Load(absl::Duration now,
                                                       absl::Status* problem) {
  std::optional<core::Checkpoint> newest;
  for (size_t i = 0; i < files_.size(); ++i) {
    absl::StatusOr<core::Checkpoint> one = Read(files_[i], boot_id_);
    if (!one.ok()) {
      // None, or of another boot, is as it should be.
      if (!absl::IsNotFound(one.status())) problem->Update(one.status());
      continue;
    }
    const bool holds =
        one->at <= now && now - one->at <= core::kCheckpointHolds;
    if (!holds || (newest.has_value() && newest->at >= one->at)) continue;
    newest = *std::move(one);
    next_ = 1 - i;  // the last good one is kept
  }
  return newest;
}

void CheckpointKeeper::Start(Source source,
                             std::function<void(const absl::Status&)> failed) {
  source_ = std::move(source);
  failed_ = std::move(failed);
  worker_.Start(kPause, [this] {
    Write();
    return kPause;
  });
}

void CheckpointKeeper::Stop() {
  worker_.Stop();
  if (source_ != nullptr) Write();
}

void CheckpointKeeper::Write() {
  std::shared_ptr<const core::Checkpoint> now = source_();
  if (now == nullptr || now == written_) return;
  const absl::Status status =
      files_[next_].Replace(runtime::FormatCheckpoint(*now, boot_id_));
  if (!status.ok()) {
    failed_(status);
    return;
  }
  written_ = std::move(now);
  next_ = 1 - next_;
}

}  // namespace fairsched::server
