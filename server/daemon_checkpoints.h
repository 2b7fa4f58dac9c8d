// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_DAEMON_CHECKPOINTS_H_
#define FAIRSCHED_SERVER_DAEMON_CHECKPOINTS_H_

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "agent/core/checkpoint.h"
#include "agent/kernel/journal_file.h"
#include "agent/runtime/worker.h"

namespace fairsched::server {

// Keeps the accounts of the users in two files by turns, so that whenever the
// daemon ends a whole one is there. For one thread.
class CheckpointKeeper {
 public:
  // The accounts; null: there are none yet.
  using Source = std::function<std::shared_ptr<const core::Checkpoint>()>;

  // The files are `path` with ".0" and ".1" after it. `boot_id`: of the node.
  CheckpointKeeper(const std::string& path, std::string boot_id);

  // The newest that is whole, of this boot, and not older than
  // kCheckpointHolds; nullopt: there is none. `*problem` says what is wrong
  // with the others; OK: nothing.
  std::optional<core::Checkpoint> Load(absl::Duration now,
                                       absl::Status* problem);

  // Writes what `source` has, once a second, in a thread of its own. `failed`
  // is told of every failure, by that thread.
  void Start(Source source, std::function<void(const absl::Status&)> failed);
  // Writes a last time.
  void Stop();

 private:
  void Write();

  const std::string boot_id_;
  std::array<kernel::DiskJournalFile, 2> files_;
  // Of the thread, once it is there.
  size_t next_ = 0;  // the file to write
  Source source_;
  std::function<void(const absl::Status&)> failed_;
  std::shared_ptr<const core::Checkpoint> written_;

  runtime::Worker worker_;  // last: its thread uses all of the above
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_DAEMON_CHECKPOINTS_H_
