// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_ORIGINALS_H_
#define FAIRSCHED_AGENT_KERNEL_ORIGINALS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/kernel/cpu_files.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/hierarchies.h"
#include "agent/kernel/journal.h"
#include "agent/kernel/journal_file.h"
#include "agent/runtime/mutex.h"
#include "agent/runtime/worker.h"

namespace fairsched::kernel {

// What cgroups that are not ours had before we wrote to them, in a journal:
// ReleaseFromJournal() undoes it after our end. The journal is written by a
// thread of its own, so that the control loop waits for no file.
//
// There is a journal from the first Work() on, and after the end, even if there
// is nothing in it: so `--release` knows that there is nothing to do. What a
// predecessor could not give back is taken over from its journal; one that
// can't be understood is kept, and nothing is written.
//
// Of(), Update() and Forget() are thread-safe and wait for no file; Work(),
// Start() and Stop() are one thread's, and no Work() between the last two.
class Originals {
 public:
  Originals(FileSystem& fs, Hierarchies hierarchies, std::string proc_root,
            JournalFile& file)
      : fs_(fs),
        hierarchies_(std::move(hierarchies)),
        proc_root_(std::move(proc_root)),
        file_(file) {}

  // The texts of the cgroup `inode` at `path` below the mount, once they are in
  // the journal: then it may be written to. Unavailable: they are asked for by
  // this call, and come soon. Other errors: they can't be journalled now, which
  // is tried again.
  absl::StatusOr<CpuTexts> Of(uint64_t inode, const std::string& path)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Others, of one whose texts are known, because its owner changed them.
  void Update(uint64_t inode, CpuTexts texts) ABSL_LOCKS_EXCLUDED(mutex_);
  // It has them again, or is gone.
  void Forget(uint64_t inode) ABSL_LOCKS_EXCLUDED(mutex_);

  // Does what was asked for since the last call.
  void Work() ABSL_LOCKS_EXCLUDED(mutex_);
  void Start();
  // A last Work(). What is not given back then stays in the journal.
  void Stop();

 private:
  struct Entry {
    std::string path;
    std::optional<CpuTexts> texts;  // unset: not read yet
    bool journalled = false;        // `texts` are in the file
    absl::Status problem;           // why not
  };

  absl::Status Begin();
  absl::Status Record(uint64_t inode, Entry& entry);
  absl::StatusOr<CpuTexts> ReadTexts(uint64_t inode, const std::string& path);

  FileSystem& fs_;
  const Hierarchies hierarchies_;
  const std::string proc_root_;
  JournalFile& file_;
  std::optional<Journal> journal_;  // of Work() only

  runtime::Mutex mutex_;
  absl::flat_hash_map<uint64_t, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  std::set<uint64_t> to_record_ ABSL_GUARDED_BY(mutex_);
  std::set<std::pair<std::string, uint64_t>> to_forget_
      ABSL_GUARDED_BY(mutex_);  // path and inode

  runtime::Worker worker_;  // last: its thread uses all of the above
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_ORIGINALS_H_
