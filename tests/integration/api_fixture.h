// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_INTEGRATION_API_FIXTURE_H_
#define FAIRSCHED_TESTS_INTEGRATION_API_FIXTURE_H_

#include <memory>
#include <string>

#include "agent/runtime/control_loop.h"
#include "fairsched/v1/node_service.grpc.pb.h"
#include "fairsched/v1/policy_service.grpc.pb.h"
#include "fairsched/v1/usage_service.grpc.pb.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/support/error_details.h"
#include "gtest/gtest.h"
#include "server/api_server.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_node.h"

namespace fairsched::server {

// What a failed call says of itself.
struct Failure {
  grpc::StatusCode code = grpc::StatusCode::OK;
  std::string reason;  // of google.rpc.ErrorInfo
  std::string field;   // the first of google.rpc.BadRequest; empty: none
  friend bool operator==(const Failure&, const Failure&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const Failure& failure) {
  return out << failure.code << " " << failure.reason << " " << failure.field;
}

inline Failure FailureOf(const grpc::Status& status) {
  Failure failure = {.code = status.error_code(), .reason = "", .field = ""};
  google::rpc::Status details;
  if (!grpc::ExtractErrorDetails(status, &details).ok()) return failure;
  for (const google::protobuf::Any& detail : details.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest bad;
    if (detail.UnpackTo(&info) && info.domain() == "fairsched") {
      failure.reason = info.reason();
    }
    if (detail.UnpackTo(&bad) && bad.field_violations_size() > 0) {
      failure.field = bad.field_violations(0).field();
    }
  }
  return failure;
}

inline Failure BadField(std::string field) {
  return {.code = grpc::StatusCode::INVALID_ARGUMENT,
          .reason = "INVALID_FIELD",
          .field = std::move(field)};
}

// The whole API over a control loop and a fake node of two CPUs, in process.
class ApiFixture : public ::testing::Test {
 protected:
  ApiFixture() {
    absl::StatusOr<std::unique_ptr<ApiServer>> started =
        ApiServer::Start({.clock = clock_,
                          .loop = loop_,
                          .placement = node_,
                          .store = store_,
                          .rpc_stats = rpc_stats_},
                         {.start_time = clock_.WallTime(),
                          .release = {.poll = absl::Milliseconds(1),
                                      .timeout = absl::Milliseconds(50)}});
    EXPECT_TRUE(started.ok()) << started.status();
    api_ = *std::move(started);
    channel_ = api_->InProcessChannel();
    policy_ = v1::PolicyService::NewStub(channel_);
    usage_ = v1::UsageService::NewStub(channel_);
    node_stub_ = v1::NodeService::NewStub(channel_);
  }

  void Tick(int times = 1) {
    for (int i = 0; i < times; ++i) {
      clock_.Advance(absl::Milliseconds(100));
      loop_.Tick();
    }
  }

  // Defines users/{id}, which selects `uid`.
  v1::User MustCreate(const std::string& id, int64_t uid) {
    v1::CreateUserRequest request;
    request.set_user_id(id);
    request.mutable_user()->add_selectors()->set_uid(uid);
    v1::User user;
    const grpc::Status status =
        Call(policy_, &v1::PolicyService::Stub::CreateUser, request, user);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return user;
  }

  // One unary call.
  template <typename Stub, typename Request, typename Response>
  static grpc::Status Call(const std::unique_ptr<Stub>& stub,
                           grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                        const Request&,
                                                        Response*),
                           const Request& request, Response& response) {
    grpc::ClientContext context;
    return ((*stub).*method)(&context, request, &response);
  }
  // One that has to fail.
  template <typename Stub, typename Request, typename Response>
  static Failure Fail(const std::unique_ptr<Stub>& stub,
                      grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                   const Request&, Response*),
                      const Request& request) {
    Response response;
    return FailureOf(Call(stub, method, request, response));
  }

  testing::FakeClock clock_;
  testing::FakeNode node_{2};
  RpcStats rpc_stats_;
  PolicyStore store_{
      clock_, {}, [this](std::shared_ptr<const core::Policy> policy, uint64_t) {
        loop_.SetPolicy(std::move(policy));
      }};
  runtime::ControlLoop loop_{
      {.clock = clock_, .sampler = node_, .actuator = node_},
      store_.Read()->policy};
  std::unique_ptr<ApiServer> api_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::PolicyService::Stub> policy_;
  std::unique_ptr<v1::UsageService::Stub> usage_;
  std::unique_ptr<v1::NodeService::Stub> node_stub_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_TESTS_INTEGRATION_API_FIXTURE_H_
