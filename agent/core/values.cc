// SPDX-License-Identifier: Apache-2.0
#include "agent/core/values.h"

#include <algorithm>
#include <cmath>

#include "agent/core/ceiling.h"

namespace fairsched::core {
namespace {

// The least that the kernel takes as a quota (kernel/sched/core.c), so rarely
// that it is nothing.
constexpr Ceiling kStopped = {.quota = CpuTime::Usec(1000),
                              .period = absl::Milliseconds(100)};

}  // namespace

CpuValues ValuesOf(const Ledger& ledger, const CgroupLedger& cgroup) {
  const double weight = std::max(1.0, ledger.weight * cgroup.weight_part);
  CpuValues out{.weight = static_cast<int32_t>(std::lround(weight)),
                .ceiling = ledger.ceiling};
  if (out.ceiling.has_value() && cgroup.quota_part < 1) {
    out.ceiling = MakeCeiling(out.ceiling->cpus() * cgroup.quota_part,
                              out.ceiling->period,
                              out.ceiling->burst.Scale(cgroup.quota_part));
  }
  if (ledger.lifted) return out;
  out.idle = ledger.demoted || ledger.yielding;
  if (ledger.stopped) out.ceiling = kStopped;
  return out;
}

}  // namespace fairsched::core
