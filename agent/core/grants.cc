// SPDX-License-Identifier: Apache-2.0
#include "agent/core/grants.h"

#include <algorithm>

namespace fairsched::core {
namespace {

// Periods and ticks don't coincide: so much, in seconds of the ceiling, may
// seem to be beyond it for a moment. What is small besides is forgotten, or
// roundings would add up.
constexpr double kToleratedSeconds = 0.25;
constexpr double kMostSeconds = 2;
constexpr absl::Duration kForgottenIn = absl::Minutes(1);
constexpr double kPartWhilePaying = 0.6;

}  // namespace

void CountGrants(CpuTime use, double cpus, absl::Duration elapsed,
                 GrantDebt& debt) {
  const double forgotten =
      std::min(1.0, absl::FDivDuration(elapsed, kForgottenIn));
  const CpuTime second = CpuTime::Of(cpus, absl::Seconds(1));
  debt.owed = std::clamp(
      debt.owed.Scale(1 - forgotten) + use - CpuTime::Of(cpus, elapsed),
      CpuTime(), second.Scale(kMostSeconds));
  debt.paying = debt.paying ? debt.owed > CpuTime()
                            : debt.owed > second.Scale(kToleratedSeconds);
}

double PartAfterDebt(const GrantDebt& debt) {
  return debt.paying ? kPartWhilePaying : 1;
}

}  // namespace fairsched::core
