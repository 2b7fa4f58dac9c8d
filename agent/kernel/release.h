// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_RELEASE_H_
#define FAIRSCHED_AGENT_KERNEL_RELEASE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/kernel/dissolve.h"
#include "agent/kernel/journal_file.h"
#include "agent/kernel/restore.h"
#include "agent/kernel/tree_layout.h"

namespace fairsched::kernel {

struct ReleaseReport {
  // True: by the journal, each process to where it came from. False: there was
  // none of this boot, and all went to the parent of the tree.
  bool by_journal = false;
  // Why a journal that is there was not used, and is kept; OK: it was, or there
  // is none.
  absl::Status journal_problem;
  DissolveReport dissolved;
  // Values of cgroups that are not ours; without a journal nothing is known of
  // any.
  RestoreReport restored;

  // OK if nothing is left to do; else what, and why.
  absl::Status ToStatus() const;
};

// Undoes what a daemon that is no more has left: the values that it wrote to
// cgroups of others, as its journal has them; its tree, as its journal has it
// or else below `layout`; and the journal. What can't be undone is in the
// report, with its journal kept for another try. Idempotent.
// An error means that nothing was tried: this boot can't be told from another.
absl::StatusOr<ReleaseReport> ReleaseFromJournal(const TreeDeps& deps,
                                                 JournalFile& file,
                                                 const TreeLayout& layout);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_RELEASE_H_
