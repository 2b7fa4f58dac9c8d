// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_WATCH_LINES_H_
#define FAIRSCHED_CLIENT_WATCH_LINES_H_

#include <string>

#include "absl/time/time.h"
#include "fairsched/v1/usage_service.pb.h"

namespace fairsched::client {

// Lines of a stream, each ended by a newline. Their columns are as wide in
// every message, so that a stream lines up; a longer name shifts its line.

// One line a user: time, user, state, CPUs, entitlement in CPUs, balance, held.
std::string SnapshotTitles();
std::string SnapshotLines(const v1::WatchUsageResponse& response,
                          const absl::TimeZone& zone);

// One line a user of each window that ended: the window's number, its length
// and why it ended; what the user used, was entitled to, had left and began
// the next window with, and how long it was held.
std::string WindowTitles();
std::string WindowLines(const v1::WatchUsageResponse& response);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_WATCH_LINES_H_
