// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_CONVERT_FAIRNESS_H_
#define FAIRSCHED_SERVER_CONVERT_FAIRNESS_H_

#include "agent/core/decision.h"
#include "fairsched/v1/usage_service.pb.h"

namespace fairsched::server {

v1::Fairness ToProto(const core::FairnessFigures& figures);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_CONVERT_FAIRNESS_H_
