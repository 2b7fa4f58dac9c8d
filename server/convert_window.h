// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_CONVERT_WINDOW_H_
#define FAIRSCHED_SERVER_CONVERT_WINDOW_H_

#include "agent/core/decision.h"
#include "agent/runtime/snapshot.h"
#include "fairsched/v1/usage_service.pb.h"

namespace fairsched::server {

// One of `snapshot`'s windows, which also says what time of day it ended.
v1::WindowReport ToProto(const core::WindowReport& window,
                         const runtime::Snapshot& snapshot);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_CONVERT_WINDOW_H_
