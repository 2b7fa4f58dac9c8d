// SPDX-License-Identifier: Apache-2.0
#include "server/api_server.h"

#include <future>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "grpcpp/generic/generic_stub.h"
#include "gtest/gtest.h"
#include "server/api_listener.h"
#include "tests/integration/api_fixture.h"
#include "tests/support/temp_dir.h"

namespace fairsched::server {
namespace {

// The wire forms of grpc.health.v1, whose schema is not among ours.
constexpr char kServing[] = "\x08\x01";
constexpr char kNotServing[] = "\x08\x02";

grpc::ByteBuffer HealthRequest(const std::string& service) {
  std::string bytes;
  if (!service.empty()) {
    bytes =
        "\x0a" + std::string(1, static_cast<char>(service.size())) + service;
  }
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

class ApiServerTest : public ApiFixture {
 protected:
  std::string Health(const std::string& service) {
    const grpc::ByteBuffer request = HealthRequest(service);
    grpc::ByteBuffer response;
    grpc::ClientContext context;
    std::promise<grpc::Status> called;
    grpc::GenericStub(channel_).UnaryCall(
        &context, "/grpc.health.v1.Health/Check", {}, &request, &response,
        [&called](grpc::Status status) {
          called.set_value(std::move(status));
        });
    const grpc::Status status = called.get_future().get();
    grpc::Slice slice;
    if (!status.ok() || !response.DumpToSingleSlice(&slice).ok()) {
      return absl::StrCat("code ", status.error_code());
    }
    return std::string(reinterpret_cast<const char*>(slice.begin()),
                       slice.size());
  }
};

TEST_F(ApiServerTest, TheApiIsHealthyAndEnforcementOnlyWhileEnforcing) {
  EXPECT_EQ(Health(""), kServing);
  EXPECT_EQ(Health("fairsched.v1.Enforcement"), kNotServing);
  ASSERT_TRUE(store_.UpdateSettings({.mode = core::Mode::kEnforce}, {}).ok());
  Tick();
  api_->Refresh();
  EXPECT_EQ(Health("fairsched.v1.Enforcement"), kServing);
  ASSERT_TRUE(store_.UpdateSettings({.mode = core::Mode::kObserve}, {}).ok());
  Tick();
  api_->Refresh();
  EXPECT_EQ(Health("fairsched.v1.Enforcement"), kNotServing);
}

TEST_F(ApiServerTest, ARequestThatIsTooLargeIsRefused) {
  v1::CreateUserRequest request;
  request.set_user_id("alice");
  request.mutable_user()->set_display_name(std::string(300 << 10, 'a'));
  EXPECT_EQ(Fail(policy_, &v1::PolicyService::Stub::CreateUser, request).code,
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(ApiServerTest, CallsAreCountedByMethodAndCode) {
  MustCreate("alice", 1001);
  v1::GetUserRequest request;
  request.set_name("users/bob");
  Fail(policy_, &v1::PolicyService::Stub::GetUser, request);
  // A call is counted before its answer is sent.
  const RpcStats::Counts counts = rpc_stats_.Read();
  const auto count = [&counts](const char* method, const char* code) {
    return counts
        .at({.service = "fairsched.v1.PolicyService", .method = method})
        .by_code.at(code);
  };
  EXPECT_EQ(count("CreateUser", "OK"), 1u);
  EXPECT_EQ(count("GetUser", "NOT_FOUND"), 1u);
}

TEST_F(ApiServerTest, TheApiAnswersOnAUnixSocket) {
  const testing::TempDir dir;
  auto listener = ApiListener::Start(
      {.path = dir / "api.sock"}, [this](int fd) { api_->AddConnection(fd); });
  ASSERT_TRUE(listener.ok()) << listener.status();
  const auto stub = v1::NodeService::NewStub(grpc::CreateChannel(
      "unix:" + (dir / "api.sock"), grpc::InsecureChannelCredentials()));
  v1::NodeStatus status;
  const grpc::Status called = Call(stub, &v1::NodeService::Stub::GetStatus,
                                   v1::GetStatusRequest(), status);
  EXPECT_TRUE(called.ok()) << called.error_message();
  EXPECT_EQ(status.version(), FAIRSCHED_VERSION);
  // In the order of the daemon: no new connection after the server's end.
  (*listener)->Stop();
  api_->Stop();
}

}  // namespace
}  // namespace fairsched::server
