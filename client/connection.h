// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_CONNECTION_H_
#define FAIRSCHED_CLIENT_CONNECTION_H_

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/rpc_error.h"
#include "fairsched/v1/node_service.grpc.pb.h"
#include "fairsched/v1/policy_service.grpc.pb.h"
#include "fairsched/v1/usage_service.grpc.pb.h"
#include "grpcpp/grpcpp.h"

namespace fairsched::client {

// Where the daemon listens unless it is told otherwise.
constexpr char kDefaultAddress[] = "unix:/run/fairsched/api.sock";

// The address to use: `flag`, else `variable`, else the default; the first
// that is not empty.
std::string ChooseAddress(const std::string& flag, const std::string& variable);

// A channel to `address` as fairctl needs it: without retries that would hide
// that nobody is there, and for answers as large as a page may be.
std::shared_ptr<grpc::Channel> Dial(const std::string& address);

// The daemon at one address. Thread-safe.
class Connection {
 public:
  // A call may take `timeout`.
  Connection(std::shared_ptr<grpc::Channel> channel, std::string address,
             absl::Duration timeout);

  const std::string& address() const { return address_; }
  v1::PolicyService::Stub& policy() { return *policy_; }
  v1::UsageService::Stub& usage() { return *usage_; }
  v1::NodeService::Stub& node() { return *node_; }

  // Calls `method` of `stub`, waits, and returns its answer; else what
  // RpcError() makes of the error.
  template <typename Stub, typename Request, typename Response>
  absl::StatusOr<Response> Call(
      Stub& stub,
      grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                   Response*),
      const Request& request) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() +
                         absl::ToChronoMicroseconds(timeout_));
    Response response;
    const grpc::Status status = (stub.*method)(&context, request, &response);
    if (!status.ok()) return RpcError(status, address_);
    return response;
  }

 private:
  const std::string address_;
  const absl::Duration timeout_;
  const std::unique_ptr<v1::PolicyService::Stub> policy_;
  const std::unique_ptr<v1::UsageService::Stub> usage_;
  const std::unique_ptr<v1::NodeService::Stub> node_;
};

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_CONNECTION_H_
