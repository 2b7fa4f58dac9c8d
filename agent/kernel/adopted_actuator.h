// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_ADOPTED_ACTUATOR_H_
#define FAIRSCHED_AGENT_KERNEL_ADOPTED_ACTUATOR_H_

#include <vector>

#include "absl/time/time.h"
#include "agent/core/decision.h"
#include "agent/kernel/adoption.h"
#include "agent/runtime/node.h"

namespace fairsched::kernel {

// Lets decisions on adopted cgroups through to `actuator`, which finds none of
// the refused ones, and reports why those do not hold.
//
// For the control thread alone: not thread-safe.
class AdoptedActuator final : public runtime::Actuator {
 public:
  // Both must outlive it.
  AdoptedActuator(runtime::Actuator& actuator, const AdoptionSource& adoption)
      : actuator_(actuator), adoption_(adoption) {}

  runtime::ApplyReport Apply(const core::Decision& decision) override;
  void Adjust(const std::vector<core::CgroupDecision>& changes,
              absl::Duration at) override {
    actuator_.Adjust(changes, at);
  }
  runtime::ApplyReport Release() override { return actuator_.Release(); }

 private:
  runtime::Actuator& actuator_;
  const AdoptionSource& adoption_;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_ADOPTED_ACTUATOR_H_
