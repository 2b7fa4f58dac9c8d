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
#include "agent/kernel/cgroup_values.h"
#include "agent/kernel/cpu_files.h"
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
  absl::StatusOr<CgroupValues> ReadValues();
  // What `file` says, of which there must be one, put `into` the rest. An idle
  // cgroup leaves the weight as it is in there: the kernel has forgotten it.
  absl::Status ReadValue(CpuFile file, CgroupValues& into);
  // InvalidArgument where this kernel has no such file, or refuses the value;
  // on v1 with what the parent has.
  absl::Status Write(const PlannedWrite& write);
  // False while the controller is off.
  bool Has(CpuFile file) const { return values_.Has(file); }
  // CpuFiles::ReadTexts(), WriteTexts().
  absl::StatusOr<CpuTexts> ReadTexts();
  absl::Status WriteTexts(const CpuTexts& texts, WroteText wrote);

  Backend backend() const { return values_.backend(); }
  // Absolute, in the tree with the cpu controller.
  const std::string& directory() const { return values_.directory(); }

  // Whether the directory is still the one that was opened.
  bool Exists();
  // Reads and failed reads of its files, since it was opened.
  int64_t reads() const { return reads_ + values_.reads(); }

 private:
  Cgroup(FileSystem& fs, const Hierarchies& hierarchies, std::string path,
         uint64_t inode);

  absl::Status OpenCounters();
  absl::Status OpenValues();
  absl::StatusOr<std::string> Read(File& file);
  // `error` of a file of the controller's: is it the file that is gone, or the
  // cgroup?
  absl::Status Judge(absl::Status error);
  // ": its parent has 50000 us in every 100000 us", where v1 judges by that.
  std::string ParentsRatio(CpuFile file);

  FileSystem& fs_;
  const bool legacy_;
  const std::string path_;
  const std::string stat_dir_;   // with cpu.stat; empty: none
  const std::string usage_dir_;  // with cpuacct.usage, where stat_dir_ is empty
  const uint64_t inode_;

  std::unique_ptr<File> usage_;     // cpu.stat, or cpuacct.usage
  std::unique_ptr<File> pressure_;  // null: none
  CpuFiles values_;                 // they come and go with the controller
  int64_t reads_ = 0;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CGROUP_H_
