// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_UNARY_H_
#define FAIRSCHED_SERVER_UNARY_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/support/server_callback.h"
#include "server/grpc_status.h"

namespace fairsched::server {

// Answers a unary call: with `answer`, or with its error.
template <typename Response>
grpc::ServerUnaryReactor* Reply(grpc::CallbackServerContext* context,
                                absl::StatusOr<Response> answer,
                                Response* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  if (answer.ok()) *response = *std::move(answer);
  reactor->Finish(ToGrpc(answer.status()));
  return reactor;
}

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_UNARY_H_
