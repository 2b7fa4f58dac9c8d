// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/snapshot.h"

#include <algorithm>
#include <cstddef>

namespace fairsched::runtime {

void TickHistogram::Observe(absl::Duration duration) {
  const double seconds = absl::ToDoubleSeconds(duration);
  const auto bound = std::ranges::lower_bound(kBoundsSeconds, seconds);
  ++counts[static_cast<size_t>(bound - kBoundsSeconds.begin())];
  sum_seconds += seconds;
}

}  // namespace fairsched::runtime
