// SPDX-License-Identifier: Apache-2.0
#include "agent/core/values.h"

#include <cmath>

namespace fairsched::core {
namespace {

// The least that the kernel takes as a quota (kernel/sched/core.c), so rarely
// that it is nothing.
constexpr Ceiling kStopped = {.quota = CpuTime::Usec(1000),
                              .period = absl::Milliseconds(100)};

}  // namespace

CpuValues ValuesOf(const Ledger& ledger) {
  CpuValues out{.weight = static_cast<int32_t>(std::lround(ledger.weight)),
                .ceiling = ledger.ceiling};
  if (ledger.lifted) return out;
  out.idle = ledger.demoted || ledger.yielding;
  if (ledger.stopped) out.ceiling = kStopped;
  return out;
}

}  // namespace fairsched::core
