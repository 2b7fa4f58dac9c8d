// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/release.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/journal.h"

namespace fairsched::kernel {

absl::Status ReleaseReport::ToStatus() const {
  absl::Status status = dissolved.ToStatus();
  if (!restored.failed.empty()) {
    status.Update(absl::UnavailableError(
        absl::StrCat("restore: still with values of ours: ",
                     absl::StrJoin(restored.failed, ", "), ": ",
                     restored.first_error.message())));
  }
  return status;
}

absl::StatusOr<ReleaseReport> ReleaseFromJournal(const TreeDeps& deps,
                                                 JournalFile& file,
                                                 const TreeLayout& layout) {
  ASSIGN_OR_RETURN(const std::string boot_id,
                   ReadBootId(deps.fs, deps.proc_root));
  const absl::StatusOr<std::optional<JournalEntries>> loaded =
      LoadJournal(file, boot_id);
  ReleaseReport report;
  report.journal_problem = loaded.status();
  JournalEntries entries;
  if (loaded.ok() && loaded->has_value()) {
    report.by_journal = true;
    entries = **loaded;
  } else {
    entries.root = layout.root();
    entries.mounts = layout.mount_paths();
  }
  report.restored = RestoreValues(deps.fs, layout.backend(), entries);
  report.dissolved = DissolveTree(deps, entries);
  if (loaded.ok() && report.ToStatus().ok())
    report.dissolved.first_error.Update(file.Remove());
  return report;
}

}  // namespace fairsched::kernel
