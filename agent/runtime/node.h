// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_RUNTIME_NODE_H_
#define FAIRSCHED_AGENT_RUNTIME_NODE_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "agent/core/decision.h"
#include "agent/core/policy.h"
#include "agent/core/sample.h"
#include "agent/core/yield.h"

// The two sides of a node that the control loop stands between. The kernel
// layer has the real ones, tests have fakes.
namespace fairsched::runtime {

// Reads what happened.
class Sampler {
 public:
  virtual ~Sampler() = default;
  // One snapshot of the node at `now`, of the users that `policy` manages. A
  // cgroup that is gone is left out; that is no error. An error means that
  // nothing was learned (the node's own counters could not be read).
  // A sample whose `at` is not later than the one before says nothing new.
  virtual absl::StatusOr<core::Sample> Take(const core::Policy& policy,
                                            absl::Duration now) = 0;
  // What the cgroups with these inodes have used up to `now`; of those that are
  // gone, or whose use is not counted by the kernel, nothing.
  virtual core::UseSample TakeUse(const std::vector<uint64_t>& inodes,
                                  absl::Duration now) = 0;
};

// Why a decision does not hold in the kernel.
enum class NotEnforced {
  kNoController,  // the cgroup has no such file: the cpu controller is off
  kGone,          // the cgroup vanished: normal
  kPermission,    // EACCES, EPERM
  kReadOnly,      // EROFS
  kOtherWriter,   // the kernel holds another value than we wrote
  kUnsupported,   // this kernel refuses the value
  kNested,        // the cgroup is inside another user's
  kOwnCgroup,     // the daemon itself is in the cgroup
};

// Who changed a value that we had set, as far as that can be told: it is
// guessed from which files were written together (kernel/foreign_writes.h).
enum class DriftCause {
  kReload,       // the service manager applied all its units' settings anew
  kSetProperty,  // it applied one unit's settings
  kOtherWriter,  // somebody else
  kUnknown,      // seen only by looking, some time after
};
inline constexpr std::array kDriftCauses = {
    DriftCause::kReload, DriftCause::kSetProperty, DriftCause::kOtherWriter,
    DriftCause::kUnknown};

// What one cgroup's files say after an Apply().
struct AppliedCgroup {
  std::string path;                       // below the cgroup root
  std::optional<core::CpuValues> values;  // read back; unset: unknown
  std::optional<NotEnforced> problem;     // unset: as wanted
  std::string problem_text;
  // Values are not as decided, but as the operator has them for this cgroup:
  // "cpu.max 50000 100000", ... Empty: they are as decided.
  std::string own_values;
};

// Writes of one kernel file, since the daemon started.
struct FileWrites {
  int64_t done = 0;
  int64_t failed = 0;
};

struct ApplyReport {
  absl::flat_hash_map<uint64_t, AppliedCgroup> cgroups;  // by inode
  std::map<std::string, FileWrites> writes;  // by file, e.g. "cpu.weight"
  int64_t reads = 0;                         // of cgroup files, since start
  // Values found changed by another writer, since start.
  std::map<DriftCause, int64_t> drifts;
  int64_t unwatched = 0;         // cgroups in which only looking finds a change
  int64_t attempted_writes = 0;  // by this Apply()
  int64_t failed_writes = 0;     // by this Apply(); gone cgroups don't count
};

// In how many cgroups the cpu controller is off.
int64_t WithoutController(const ApplyReport& report);

// Makes the node as decided.
class Actuator {
 public:
  virtual ~Actuator() = default;
  // Makes the kernel match `decision`: writes what differs from what was last
  // applied, and nothing else. Idempotent: what failed is tried again by the
  // next call. Errors are per cgroup, in the report.
  virtual ApplyReport Apply(const core::Decision& decision) = 0;
  // Between two calls of Apply(): writes these values, and leaves what it
  // learns for the next report.
  virtual void Adjust(const std::vector<core::CgroupDecision>& changes,
                      absl::Duration at) = 0;
  // Gives back the values from before the first write. Idempotent.
  virtual ApplyReport Release() = 0;
};

// Where processes are put, and how it goes.
struct PlacementReport {
  std::string backend;    // "unified", "legacy", or "none"
  std::string placement;  // "own" or "adopt"
  // Of our tree, below the cgroup mounts: "/fairsched". Empty: there is none.
  std::string root;
  bool placing = false;   // processes are in our tree, or are being moved there
  int64_t cgroups = 0;    // of users, that exist now
  int64_t processes = 0;  // that were put there, as of the last scan
  std::set<int64_t> uids;  // that would be users, as of the last scan
  uint64_t scans = 0;
  uint64_t moved = 0;  // processes, since start, into and out of the tree
  uint64_t failed_moves =
      0;  // since start; a process that is gone doesn't count
  absl::Duration scan_time;      // that the last scan took
  absl::Duration scan_interval;  // to the next
  absl::Status last_error;       // of the last scan; OK: it worked
  // What an operator should know of how users are placed, in sentences.
  std::vector<std::string> notes;
  // What the kernel offers: "cpu.idle", "cpu.pressure", ...
  std::vector<std::string> features;
};

// Finds out which cgroup is whose, and puts processes there if need be. Works
// in a thread of its own. Thread-safe.
class Placement {
 public:
  virtual ~Placement() = default;
  // What the last scan left; never null.
  virtual std::shared_ptr<const PlacementReport> Report() const = 0;
};

}  // namespace fairsched::runtime

#endif  // FAIRSCHED_AGENT_RUNTIME_NODE_H_
