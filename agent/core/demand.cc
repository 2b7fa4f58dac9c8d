// SPDX-License-Identifier: Apache-2.0
#include "agent/core/demand.h"

#include <algorithm>
#include <cmath>

namespace fairsched::core {
namespace {

// A tick in which it hardly ran tells only that it waited: the quotient would
// be noise, and the less it got the less it would seem to want.
constexpr double kHardlyRanCpus = 0.02;
constexpr double kWaitedOfTime = 0.5;
// Of the tick: nothing that sleeps comes near.
constexpr double kAllTheTime = 0.95;

// The part of the time in which its ceiling held it, wherever it has threads.
double HeldByCeiling(const PressureReading& reading) {
  if (reading.throttled <= CpuTime()) return 0;
  const double places = UsableCpus(reading.threads, reading.node_cpus);
  return reading.throttled.Cpus(reading.elapsed) / std::max(places, 1.0);
}

}  // namespace

double UsableCpus(std::optional<int64_t> threads, double cpus) {
  if (!threads.has_value()) return cpus;
  return std::min(cpus, static_cast<double>(*threads));
}

std::optional<CpuTime> DemandFromPressure(const PressureReading& reading) {
  if (!reading.some.has_value()) return std::nullopt;
  const double most = UsableCpus(reading.threads, reading.cpus);
  const CpuTime bound = CpuTime::Of(most, reading.elapsed);
  const double some =
      std::clamp(*reading.some - HeldByCeiling(reading), 0.0, 1.0);
  const double ran = reading.use.Cpus(reading.elapsed);
  if (some >= kWaitedOfTime && ran < kHardlyRanCpus)
    return std::max(reading.use, bound.Scale(some));
  if (some >= 1) return std::max(reading.use, bound);
  // As if one thread did it all, it is too much where several take turns to
  // wait. As many as that would keep busy share the waiting, each by itself.
  const double alone = ran / (1.0 - some);
  const double threads = std::clamp(std::ceil(alone), 1.0, std::max(most, 1.0));
  const double each_waits = 1.0 - std::pow(1.0 - some, 1.0 / threads);
  const CpuTime wanted = reading.use.Scale(1.0 / (1.0 - each_waits));
  return std::max(reading.use, std::min(wanted, bound));
}

bool IsBusy(const PressureReading& reading) {
  return reading.some.has_value() &&
         *reading.some + reading.use.Cpus(reading.elapsed) >= kAllTheTime;
}

bool IsBacklogged(const PressureReading& reading, CpuTime demand) {
  if (!reading.some.has_value()) return false;
  return *reading.some >= kAllTheTime ||
         demand.Cpus(reading.elapsed) >=
             kAllTheTime * UsableCpus(reading.threads, reading.cpus);
}

}  // namespace fairsched::core
