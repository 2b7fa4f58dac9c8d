// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_OWN_TREE_H_
#define FAIRSCHED_AGENT_KERNEL_OWN_TREE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/kernel/dissolve.h"
#include "agent/kernel/journal.h"
#include "agent/kernel/tree_layout.h"

namespace fairsched::kernel {

// What one Place() did.
struct PlaceReport {
  int64_t moved = 0;   // processes, into and out of groups
  int64_t failed = 0;  // to move; a process that is gone doesn't count
  int64_t placed = 0;  // processes that are in the group of their uid now
  absl::Status first_error;
};

// Who is to be in which group, as of one scan.
struct Placing {
  std::map<int64_t, std::vector<int64_t>> pids_by_uid;  // none is empty
  absl::flat_hash_set<int64_t> others;  // processes that belong in no group
  absl::flat_hash_set<int64_t> alive;   // all pids that the scan saw
};

// Our cgroups and who is in them (TreeLayout). Everything that is done is in
// the journal before it is done. Not thread-safe.
class OwnTree {
 public:
  // `deps` and `journal` must outlive it.
  OwnTree(const TreeDeps& deps, JournalFile& journal, TreeLayout layout)
      : deps_(deps), file_(journal), layout_(std::move(layout)) {}

  // Makes the tree, or takes over the one that a crashed predecessor left, with
  // what its journal says about origins. `agent_pid`, ourselves, goes into a
  // cgroup of its own that outweighs the users'. 0: nobody does.
  // FailedPrecondition where that can't be: the message says what to change.
  // After an error, some of it may be there: Dissolve() or try again.
  absl::Status Open(int64_t agent_pid);
  bool is_open() const { return is_open_; }

  // Moves each process into the group of its uid, and those that are in a group
  // but belong to nobody back to where they came from. A group that two calls
  // in a row find empty is removed. One process that fails stops no other.
  // The tree must be open, and is no more if somebody else has removed it. A
  // cpu controller that somebody turned off in it is turned on again, tried
  // less and less often.
  PlaceReport Place(const Placing& placing);

  // Below the mounts; nullopt: there is none.
  std::optional<std::string> GroupOf(int64_t uid) const;
  std::vector<int64_t> Uids() const;  // that have a group

  // Undoes all of it (DissolveTree). The journal is removed if nothing is left.
  DissolveReport Dissolve();

  // FeaturesOf() a cgroup of ours. The tree must be open.
  std::vector<std::string> Features() const;
  const TreeLayout& layout() const { return layout_; }
  // What is to be undone; nullptr: nothing.
  const JournalEntries* journal() const {
    return journal_.has_value() ? &journal_->entries() : nullptr;
  }

 private:
  struct Group {
    bool whole = false;   // made in every mount
    int empty_calls = 0;  // in a row
    // Per mount; nullopt: could not be read.
    std::vector<std::optional<absl::flat_hash_set<int64_t>>> members;

    bool Holds(int64_t pid) const;  // in every mount
    bool IsEmpty() const;           // and surely so
  };
  // A process and the group that it goes to.
  struct Move {
    int64_t pid = 0;
    int64_t uid = 0;
  };

  absl::Status BeginJournal();
  absl::Status MakeDirectories(const std::vector<std::string>& paths);
  absl::Status TurnOnCpu();
  absl::Status RegainCpu();
  absl::Status RaiseAgent();
  absl::Status JoinAgent(int64_t agent_pid);
  absl::Status AdoptGroups();

  void ReadMembers(PlaceReport& report);
  std::vector<int64_t> RecordMissingGroups(const Placing& placing);
  void MakeGroups(const std::vector<int64_t>& missing, PlaceReport& report);
  std::vector<Move> RecordMoves(const Placing& placing, PlaceReport& report);
  absl::Status RecordOrigin(const Move& move);
  absl::Status MoveTo(const std::string& path, int64_t pid);
  void MoveIn(const std::vector<Move>& moves, PlaceReport& report);
  void MoveStrangersOut(const Placing& placing, PlaceReport& report);
  void RemoveEmptyGroups(const Placing& placing, PlaceReport& report);
  absl::Status RemoveGroup(int64_t uid);

  const TreeDeps& deps_;
  JournalFile& file_;
  const TreeLayout layout_;
  int64_t agent_pid_ = 0;
  bool is_open_ = false;
  absl::Duration regain_at_ = -absl::InfiniteDuration();  // not before
  absl::Duration regain_wait_;  // after the last try; 0: the controller was on
  std::optional<Journal> journal_;
  std::map<int64_t, Group> groups_;  // by uid
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_OWN_TREE_H_
