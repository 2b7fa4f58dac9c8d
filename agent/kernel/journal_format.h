// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_JOURNAL_FORMAT_H_
#define FAIRSCHED_AGENT_KERNEL_JOURNAL_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/kernel/cpu_files.h"

namespace fairsched::kernel {

// A longer journal is refused: 64 MiB hold half a million processes.
inline constexpr size_t kMaxJournalBytes = 64 << 20;
// Three paths of PATH_MAX bytes with every byte escaped, and some.
inline constexpr size_t kMaxJournalLineBytes = 64 << 10;

// A cgroup per mount, in the order of JournalEntries::mounts, below its root.
using Origin = std::vector<std::string>;

// A process that was moved into our tree, and where it was before.
struct MovedProcess {
  int64_t start_ticks = 0;
  int64_t uid = 0;
  Origin origin;
  friend bool operator==(const MovedProcess&, const MovedProcess&) = default;
};

// The values that a cgroup which is not ours had before we wrote to it.
struct OriginalValues {
  uint64_t inode = 0;  // another at the same path is another cgroup
  CpuTexts texts;
  friend bool operator==(const OriginalValues&,
                         const OriginalValues&) = default;
};

// All that must be undone to leave the node as it was. Text form, one entry a
// line, fields parted by one space, bytes other than printable ASCII as \xHH:
//
//   fairsched-journal 1 BOOT_ID
//   tree ROOT MOUNT...
//   dir PATH
//   enabled PATH
//   uid UID ORIGIN...
//   process PID START_TICKS UID ORIGIN...
//   values PATH INODE FILE=TEXT...
//
// The first two lines are there once, in that order; a later line about the
// same thing replaces an earlier one.
struct JournalEntries {
  std::string boot_id;  // entries mean nothing after another boot
  std::string root;     // of our tree, below each mount: "/fairsched"
  std::vector<std::string> mounts;
  std::set<std::string> directories;  // that we made; absolute
  std::set<std::string>
      enabled;  // cgroups in which we turned `cpu` on; absolute
  std::map<int64_t, Origin> first_origins;  // by uid: of its first process
  absl::flat_hash_map<int64_t, MovedProcess> processes;  // by pid
  std::map<std::string, OriginalValues>
      values;  // by path below the first mount

  size_t Lines() const;
  friend bool operator==(const JournalEntries&,
                         const JournalEntries&) = default;
};

// One line each, its newline included.
std::string DirectoryLine(absl::string_view path);
std::string EnabledLine(absl::string_view path);
std::string FirstOriginLine(int64_t uid, const Origin& origin);
std::string ProcessLine(int64_t pid, const MovedProcess& process);
std::string ValuesLine(absl::string_view path, const OriginalValues& values);
// The whole text. ParseJournal(_, FormatJournal(x)) == x.
std::string FormatJournal(const JournalEntries& entries);

// A last line without its newline was never finished: it is left out.
// FailedPrecondition, with `name` and the number of the line, for anything but
// the form above within the bounds above; nothing of it may be used then.
absl::StatusOr<JournalEntries> ParseJournal(absl::string_view name,
                                            absl::string_view text);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_JOURNAL_FORMAT_H_
