// SPDX-License-Identifier: Apache-2.0
#include "agent/core/demand.h"

#include <algorithm>

namespace fairsched::core {
namespace {

// Above this the quotient is noise: it waited all the time.
constexpr double kAlwaysWaiting = 0.999;

}  // namespace

std::optional<CpuTime> DemandFromPressure(const PressureReading& reading) {
  if (!reading.some.has_value()) return std::nullopt;
  double most = reading.cpus;
  if (reading.threads.has_value())
    most = std::min(most, static_cast<double>(*reading.threads));
  const CpuTime bound = CpuTime::Of(most, reading.elapsed);
  const double some = std::clamp(*reading.some, 0.0, 1.0);
  if (some >= kAlwaysWaiting) return std::max(reading.use, bound);
  const CpuTime wanted = reading.use.Scale(1.0 / (1.0 - some));
  return std::max(reading.use, std::min(wanted, bound));
}

}  // namespace fairsched::core
