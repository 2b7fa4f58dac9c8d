// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_FOREIGN_WRITES_H_
#define FAIRSCHED_AGENT_KERNEL_FOREIGN_WRITES_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "agent/kernel/modify_watch.h"
#include "agent/runtime/node.h"

namespace fairsched::kernel {

// In which cgroups another writer has written to cpu.* files, and who that may
// have been. A watch doesn't name the writer; what can be told apart is this.
// systemd 252 writes cpu.idle and cpu.max of a unit one after the other
// whenever it applies the unit's CPU settings, and hardly anybody else does:
// - kReload: so it did in several cgroups, or in the parent of one, within
//   kReloadSpan: all units at once, as daemon-reload and daemon-reexec do (what
//   comes first of these is taken for kSetProperty until WasReload());
// - kSetProperty: so it did in this one alone;
// - kOtherWriter: one file, as by echo, a script or a container runtime.
// A writer that does as systemd does is taken for it.
//
// Not thread-safe.
class ForeignWrites {
 public:
  static constexpr absl::Duration kReloadSpan = absl::Seconds(1);

  // Null: nothing is told. `watch` must outlive it.
  explicit ForeignWrites(ModifyWatch* watch) : watch_(watch) {}

  // Watches the cgroup at `directory`, absolute. False: it can't; calling it
  // again tries again, and is cheap when it is watched already.
  bool Follow(uint64_t inode, const std::string& directory);
  void Forget(uint64_t inode);
  bool Follows(uint64_t inode) const { return followed_.contains(inode); }

  // Where others have written since the last call, by inode, and the likely
  // cause. `at` is monotonic.
  std::map<uint64_t, runtime::DriftCause> Take(absl::Duration at);
  // Whether a kSetProperty of the Take() at `at` has turned out to be part of a
  // reload: known for good once kReloadSpan has passed.
  bool WasReload(absl::Duration at) const {
    return at - reload_at_ < kReloadSpan && reload_at_ - at < kReloadSpan;
  }
  // Gathers what was written until now, for the next Take(), ...
  void Gather();
  // ... of which this one write was ours.
  void Disregard(uint64_t inode, absl::string_view file);

 private:
  struct Followed {
    std::string directory;
    bool with_parent = false;
  };
  struct Watched {
    int watch = 0;
    int uses = 0;  // by followed cgroups, as themselves or as their parent
  };

  bool Watch(const std::string& directory);
  void Unwatch(const std::string& directory);
  bool ParentTouched(const std::string& directory) const;

  ModifyWatch* const watch_;
  absl::flat_hash_map<uint64_t, Followed> followed_;
  absl::flat_hash_map<std::string, uint64_t> inodes_;  // by directory
  absl::flat_hash_map<std::string, Watched> watched_;  // by directory
  absl::flat_hash_map<int, std::string> directories_;  // by watch
  // Files written in each directory since the last Take().
  std::map<std::string, std::set<std::string>> written_;
  bool lost_ = false;
  absl::Duration reload_at_ = -absl::InfiniteDuration();  // the last one
  // Where the service manager applied settings last, and when.
  uint64_t applied_to_ = 0;
  absl::Duration applied_at_ = -absl::InfiniteDuration();
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_FOREIGN_WRITES_H_
