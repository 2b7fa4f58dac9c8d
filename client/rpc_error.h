// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_RPC_ERROR_H_
#define FAIRSCHED_CLIENT_RPC_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"

namespace fairsched::client {

// What a call to `address` that ended with `status` means to a person: the
// message names the cause, every field that was refused, and what to do next.
// It may have several lines. OK if `status` is.
//
// The code is that of `status`, but for two: PERMISSION_DENIED where the
// socket may not be opened, and UNAVAILABLE where the daemon took the call and
// never answered it.
absl::Status RpcError(const grpc::Status& status, const std::string& address);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_RPC_ERROR_H_
