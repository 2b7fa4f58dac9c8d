// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_PROCESS_STATS_H_
#define FAIRSCHED_SERVER_PROCESS_STATS_H_

#include <optional>

#include "absl/time/time.h"

namespace fairsched::server {

// What this process uses. Unset: the kernel did not say.
struct ProcessStats {
  std::optional<absl::Duration> cpu;  // user and system
  std::optional<double> resident_bytes;
  std::optional<double> open_fds;
  std::optional<double> max_fds;
};

ProcessStats ReadProcessStats();

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_PROCESS_STATS_H_
