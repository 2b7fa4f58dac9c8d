// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_JOURNAL_H_
#define FAIRSCHED_AGENT_KERNEL_JOURNAL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/journal_file.h"
#include "agent/kernel/journal_format.h"

namespace fairsched::kernel {

// What is to be undone, in memory and, ahead of doing it, in a file.
//
// Record what is going to be done, Flush(), and only then do it. What is
// forgotten is dropped from the file when that is rewritten, which happens in
// Flush() once the file is four times as long as it need be. Not thread-safe.
class Journal {
 public:
  // Begins with `entries`, and rewrites `file` to hold just these.
  static absl::StatusOr<Journal> Begin(JournalFile& file,
                                       JournalEntries entries);

  const JournalEntries& entries() const { return entries_; }

  void RecordDirectory(const std::string& path);
  void RecordEnabled(const std::string& path);
  // Also the first origin of its uid, if that has none.
  void RecordProcess(int64_t pid, const MovedProcess& process);

  void RecordValues(const std::string& path, const OriginalValues& values);

  void ForgetDirectory(const std::string& path);
  void ForgetEnabled(const std::string& path);
  void ForgetFirstOrigin(int64_t uid);
  // If they are of `inode` still.
  void ForgetValues(const std::string& path, uint64_t inode);
  // Processes whose pid is not in `alive`.
  void ForgetDead(const absl::flat_hash_set<int64_t>& alive);

  // Makes the file hold all that is recorded. After an error nothing that was
  // recorded since the last Flush() may be done; the next one tries again.
  absl::Status Flush();
  // Makes the file hold no more than that: what was forgotten must not be
  // undone again.
  absl::Status Rewrite();
  // Removes the file: there is nothing left to undo.
  absl::Status Remove();

 private:
  Journal(JournalFile& file, JournalEntries entries)
      : file_(&file), entries_(std::move(entries)) {}
  void Add(const std::string& line);

  JournalFile* file_;  // never null; a pointer, so that this can be moved
  JournalEntries entries_;
  std::string pending_;
  size_t pending_lines_ = 0;
  size_t file_lines_ = 0;
  bool torn_ = false;  // the file may end in the middle of a line
};

// Names this boot of the kernel.
absl::StatusOr<std::string> ReadBootId(FileSystem& fs,
                                       absl::string_view proc_root);

// What a predecessor left in `file`; nullopt: nothing, or nothing that holds
// since the node was booted. FailedPrecondition: it can't be understood.
absl::StatusOr<std::optional<JournalEntries>> LoadJournal(
    JournalFile& file, absl::string_view boot_id);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_JOURNAL_H_
