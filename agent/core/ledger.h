// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_LEDGER_H_
#define FAIRSCHED_AGENT_CORE_LEDGER_H_
namespace fairsched::core {
struct State {};
}  // namespace fairsched::core
#endif  // FAIRSCHED_AGENT_CORE_LEDGER_H_
