// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CENSUS_H_
#define FAIRSCHED_AGENT_KERNEL_CENSUS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "agent/core/policy.h"
#include "agent/kernel/process_scan.h"

namespace fairsched::kernel {

struct UidProcesses {
  bool exempt = false;
  std::vector<int64_t> pids;  // never empty
  int64_t threads = 0;
};

// The processes of a scan, by whose they are.
struct Census {
  std::map<int64_t, UidProcesses> uids;
  absl::flat_hash_set<int64_t> nobodys;
};

Census TakeCensus(const core::Policy& policy, const ProcessScan& scan);

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CENSUS_H_
