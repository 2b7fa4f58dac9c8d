// SPDX-License-Identifier: Apache-2.0
#include "server/grpc_status.h"

#include <string>

#include "absl/strings/cord.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/support/error_details.h"
#include "server/errors.h"

namespace fairsched::server {

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  // absl, gRPC and google.rpc number the canonical codes alike.
  google::rpc::Status wire;
  wire.set_code(static_cast<int>(status.code()));
  wire.set_message(std::string(status.message()));
  status.ForEachPayload(
      [&wire](absl::string_view type_url, const absl::Cord& payload) {
        google::protobuf::Any* detail = wire.add_details();
        detail->set_type_url(std::string(type_url));
        detail->set_value(std::string(payload));
      });
  if (wire.details_size() == 0) {
    return ToGrpc(
        Error(status.code(), ErrorReason::kInternal, status.message()));
  }
  grpc::Status result;
  // Fails on a null result only.
  const grpc::Status set = grpc::SetErrorDetails(wire, &result);
  return set.ok() ? result : set;
}

}  // namespace fairsched::server
