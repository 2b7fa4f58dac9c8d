// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_VALUES_H_
#define FAIRSCHED_AGENT_CORE_VALUES_H_

#include "agent/core/decision.h"
#include "agent/core/ledger.h"

namespace fairsched::core {

// What a cgroup of a user with this account should hold.
CpuValues ValuesOf(const Ledger& ledger, const CgroupLedger& cgroup);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_VALUES_H_
