// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/node_counters.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/cpu_max.h"
#include "agent/kernel/cpu_stat.h"
#include "agent/kernel/cpuset_list.h"
#include "agent/kernel/optional_file.h"
#include "agent/kernel/proc_stat.h"

namespace fairsched::kernel {
namespace {

// Some kernels add hypervisor steal to the usage of the root, but none to its
// two parts.
core::CpuTime BusyOf(const CpuStat& root) {
  if (!root.user.has_value() || !root.system.has_value()) return root.usage;
  return *root.user + *root.system;
}

}  // namespace

absl::StatusOr<NodeCounters> NodeCounters::Open(FileSystem& fs,
                                                const Hierarchies& hierarchies,
                                                const NodePaths& paths) {
  NodeCounters node;
  ASSIGN_OR_RETURN(node.proc_stat_, fs.Open(paths.proc_root + "/stat"));
  ASSIGN_OR_RETURN(node.online_, fs.Open(paths.cpus_online));
  RETURN_IF_ERROR(node.OpenCpus(fs, hierarchies));
  if (hierarchies.backend == Backend::kLegacy) {
    ASSIGN_OR_RETURN(node.busy_,
                     fs.Open(hierarchies.cpuacct + "/cpuacct.usage"));
    return node;
  }
  // Older kernels count no usage in the root, or have no cpu.stat there.
  node.source_ = BusySource::kProcStat;
  ASSIGN_OR_RETURN(std::unique_ptr<File> stat,
                   OpenIfThere(fs, hierarchies.cpu + "/cpu.stat"));
  if (stat == nullptr) return node;
  ASSIGN_OR_RETURN(const std::string text, stat->Read());
  if (!ParseCpuStat(text).ok()) return node;
  node.source_ = BusySource::kCpuStat;
  node.busy_ = std::move(stat);
  return node;
}

absl::Status NodeCounters::OpenCpus(FileSystem& fs,
                                    const Hierarchies& hierarchies) {
  const std::string& root = hierarchies.cpu;
  ASSIGN_OR_RETURN(cpuset_, OpenIfThere(fs, root + "/cpuset.cpus.effective"));
  ASSIGN_OR_RETURN(max_, OpenIfThere(fs, root + "/cpu.max"));
  ASSIGN_OR_RETURN(cfs_quota_, OpenIfThere(fs, root + "/cpu.cfs_quota_us"));
  ASSIGN_OR_RETURN(cfs_period_, OpenIfThere(fs, root + "/cpu.cfs_period_us"));
  return absl::OkStatus();
}

absl::StatusOr<core::NodeSample> NodeCounters::Read() {
  core::NodeSample result;
  // The counters first, and side by side: they belong to one moment.
  ASSIGN_OR_RETURN(const std::string proc_text, proc_stat_->Read());
  std::string busy_text;
  if (busy_ != nullptr) {
    ASSIGN_OR_RETURN(busy_text, busy_->Read());
  }
  ASSIGN_OR_RETURN(const ProcStat proc, ParseProcStat(proc_text));
  result.hypervisor_steal = proc.hypervisor_steal;
  switch (source_) {
    case BusySource::kCpuacct: {
      ASSIGN_OR_RETURN(result.busy, ParseCpuacctUsage(busy_text));
      break;
    }
    case BusySource::kCpuStat: {
      ASSIGN_OR_RETURN(const CpuStat stat, ParseCpuStat(busy_text));
      result.busy = BusyOf(stat);
      break;
    }
    case BusySource::kProcStat:
      result.busy = proc.busy;
      break;
  }
  ASSIGN_OR_RETURN(result.cpus, ReadCpus());
  return result;
}

absl::StatusOr<double> NodeCounters::ReadCpus() {
  ASSIGN_OR_RETURN(const std::string online_text, online_->Read());
  ASSIGN_OR_RETURN(int64_t cpus, CountCpus(online_text));
  if (cpus == 0) return absl::InternalError("no CPU is online");
  if (cpuset_ != nullptr) {
    ASSIGN_OR_RETURN(const std::string text, cpuset_->Read());
    ASSIGN_OR_RETURN(const int64_t allowed, CountCpus(text));
    // Empty while a cpuset is being set up: that says nothing.
    if (allowed > 0) cpus = std::min(cpus, allowed);
  }
  return ReadCeiling(static_cast<double>(cpus));
}

absl::StatusOr<double> NodeCounters::ReadCeiling(double cpus) {
  CpuMax max;
  if (max_ != nullptr) {
    ASSIGN_OR_RETURN(const std::string text, max_->Read());
    ASSIGN_OR_RETURN(max, ParseCpuMax(text));
  } else if (cfs_quota_ != nullptr && cfs_period_ != nullptr) {
    ASSIGN_OR_RETURN(const std::string quota, cfs_quota_->Read());
    ASSIGN_OR_RETURN(const std::string period, cfs_period_->Read());
    ASSIGN_OR_RETURN(max, ParseCfsBandwidth(quota, period));
  }
  if (!max.quota.has_value()) return cpus;
  return std::min(cpus, max.quota->Cpus(max.period));
}

}  // namespace fairsched::kernel
