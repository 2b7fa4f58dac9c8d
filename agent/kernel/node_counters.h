// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_NODE_COUNTERS_H_
#define FAIRSCHED_AGENT_KERNEL_NODE_COUNTERS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "agent/core/cpu_time.h"
#include "agent/core/sample.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/hierarchies.h"

namespace fairsched::kernel {

// Where a node's own counters are.
struct NodePaths {
  std::string proc_root = "/proc";
  std::string cpus_online = "/sys/devices/system/cpu/online";
};

// What a node as a whole has and uses. In a container, what its root cgroup may
// use. Not thread-safe.
//
// `busy` is from one source for as long as this lives: v1's cpuacct.usage is
// exact; cpu.stat of a real v2 root, and /proc/stat where that has none, count
// in the kernel's timer ticks, and miss what runs between two of them.
class NodeCounters {
 public:
  // An error of the first file that can't be opened.
  static absl::StatusOr<NodeCounters> Open(FileSystem& fs,
                                           const Hierarchies& hierarchies,
                                           const NodePaths& paths);

  // `cpus` is the least of those online, those that the root's cpuset allows,
  // and the root's ceiling.
  absl::StatusOr<core::NodeSample> Read();

 private:
  enum class BusySource { kCpuacct, kCpuStat, kProcStat };

  NodeCounters() = default;
  absl::Status OpenCpus(FileSystem& fs, const Hierarchies& hierarchies);
  absl::StatusOr<double> ReadCpus();
  absl::StatusOr<double> ReadCeiling(double cpus);

  BusySource source_ = BusySource::kCpuacct;
  std::unique_ptr<File> busy_;  // null for kProcStat
  std::unique_ptr<File> proc_stat_;
  std::unique_ptr<File> online_;
  // Null where the root has none.
  std::unique_ptr<File> cpuset_;
  std::unique_ptr<File> max_;         // cpu.max
  std::unique_ptr<File> cfs_quota_;   // of v1
  std::unique_ptr<File> cfs_period_;  // of v1
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_NODE_COUNTERS_H_
