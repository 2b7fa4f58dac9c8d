// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_GRPC_STATUS_H_
#define FAIRSCHED_SERVER_GRPC_STATUS_H_

#include "absl/status/status.h"
#include "grpcpp/support/status.h"

namespace fairsched::server {

// `status` for the wire: code, message, and as google.rpc.Status the details
// that errors.h gave it. A failure without an ErrorInfo gets one that says
// INTERNAL.
grpc::Status ToGrpc(const absl::Status& status);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_GRPC_STATUS_H_
