// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CGROUP_H_
#define FAIRSCHED_AGENT_KERNEL_CGROUP_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/core/cpu_time.h"
#include "agent/core/decision.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/hierarchies.h"

namespace fairsched::kernel {

struct CgroupCounters {
  core::CpuTime usage;
  std::optional<core::CpuTime> pressure_some;  // unset: not on this kernel
  std::optional<core::CpuTime> throttled;      // unset: not known
};

// One group of ours, in every tree that it is in, by files that are kept open:
// of the very cgroup that was opened, never of a later one with its name.
//
// NotFound, from every call: the cgroup is gone. Unimplemented: it has no such
// file, as while the cpu controller is off for its parent's children; tried
// anew by every call. Not thread-safe.
class Cgroup {
 public:
  // `path` is below the mounts: "/fairsched/users/uid-1001". NotFound unless it
  // is in all of them.
  static absl::StatusOr<std::unique_ptr<Cgroup>> Open(
      FileSystem& fs, const Hierarchies& hierarchies, std::string path);

  const std::string& path() const { return path_; }
  // Of the directory in the tree with the cpu controller.
  uint64_t inode() const { return inode_; }

  absl::StatusOr<CgroupCounters> ReadCounters();
  // Of these only the use.
  absl::StatusOr<core::CpuTime> ReadUsage();
  // The weight of an idle group is the one set last: the kernel forgets it.
  absl::StatusOr<core::CpuValues> ReadValues();

  // `weight` is in kMinWeight..kMaxWeight. InvalidArgument while idle.
  absl::Status SetWeight(int32_t weight);
  // Leaving idle sets the weight to kDefaultWeight.
  absl::Status SetIdle(bool idle);
  // Whether there is cpu.idle (Linux 5.15) where there is a weight.
  bool has_idle() const { return idle_ != nullptr || weight_ == nullptr; }

  // The names of the files that SetWeight() and SetIdle() write.
  absl::string_view weight_file() const {
    return legacy_ ? "cpu.shares" : "cpu.weight";
  }
  static constexpr absl::string_view kIdleFile = "cpu.idle";

  // Whether the directory is still the one that was opened.
  bool Exists();
  // Reads and failed reads of its files, since it was opened.
  int64_t reads() const { return reads_; }

 private:
  Cgroup(FileSystem& fs, const Hierarchies& hierarchies, std::string path,
         uint64_t inode);

  absl::Status OpenCounters();
  // The controller's files come and go with it.
  absl::Status OpenValues();
  absl::StatusOr<std::string> Read(File& file);
  // `error` of a file of the controller's: is it the file that is gone, or the
  // cgroup?
  absl::Status Judge(absl::Status error);

  FileSystem& fs_;
  const bool legacy_;
  const std::string path_;
  const std::string cpu_dir_;    // with the values
  const std::string stat_dir_;   // with cpu.stat; empty: none
  const std::string usage_dir_;  // with cpuacct.usage, where stat_dir_ is empty
  const uint64_t inode_;

  std::unique_ptr<File> usage_;     // cpu.stat, or cpuacct.usage
  std::unique_ptr<File> pressure_;  // null: none
  std::unique_ptr<File> weight_;    // null: none now
  std::unique_ptr<File> idle_;      // null: none now
  int32_t last_weight_;
  int64_t reads_ = 0;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CGROUP_H_
