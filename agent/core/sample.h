// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_SAMPLE_H_
#define FAIRSCHED_AGENT_CORE_SAMPLE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "agent/core/cpu_time.h"
#include "agent/core/policy.h"

namespace fairsched::core {

// The counters of one cgroup at the time of the sample. Counters only grow,
// except when the kernel or a recreated cgroup says otherwise.
struct CgroupSample {
  uint64_t inode = 0;  // identity: a cgroup made anew has another
  CpuTime usage;       // cpu.stat usage_usec, or cpuacct.usage
  // What a node may not have. Unset is unknown, never zero.
  std::optional<CpuTime> pressure_some;   // cpu.pressure, "some" total
  std::optional<CpuTime> throttled;       // cpu.stat throttled_usec
  std::optional<CpuTime> run_queue_wait;  // sum over its threads
  std::optional<double> cpuset_cpus;      // CPUs that its cpuset allows
  int32_t arena = 0;                      // siblings share an arena
};

// One user that is present: it has a process, or a cgroup of its own.
struct UserSample {
  UserId id;
  std::vector<CgroupSample> cgroups;
  std::optional<int64_t> threads;    // that could run at once; unset: unknown
  std::optional<int64_t> processes;  // unset: unknown
  // Usage is put together from single processes and misses short-lived ones.
  bool sampled = false;
};

// The node as a whole, measured by itself and never as a sum of users.
struct NodeSample {
  double cpus = 1;  // that work can run on: online, cpuset, ancestors' quota
  CpuTime busy;     // counter: CPU time used by anything
  CpuTime hypervisor_steal;  // counter: taken by other guests of the host
};

// One snapshot of a node, taken at one time. Users in order of id, each once.
struct Sample {
  absl::Duration at;  // monotonic
  NodeSample node;
  std::vector<UserSample> users;
};

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_SAMPLE_H_
