// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/census.h"

#include <optional>

namespace fairsched::kernel {

Census TakeCensus(const core::Policy& policy, const ProcessScan& scan) {
  Census census;
  for (const Process& process : scan.processes) {
    const std::optional<Owner> owner = OwnerOf(policy, process);
    if (!owner.has_value()) {
      census.nobodys.insert(process.pid);
      continue;
    }
    UidProcesses& uid = census.uids[owner->uid];
    uid.exempt = owner->exempt;
    uid.pids.push_back(process.pid);
    uid.threads += process.threads;
  }
  return census;
}

}  // namespace fairsched::kernel
