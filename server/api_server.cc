// SPDX-License-Identifier: Apache-2.0
#include "server/api_server.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/resource_quota.h"
#include "grpcpp/server_builder.h"
#include "grpcpp/server_posix.h"

namespace fairsched::server {
namespace {

constexpr char kEnforcementHealth[] = "fairsched.v1.Enforcement";

constexpr int kMaxReceiveBytes = 256 << 10;
// A snapshot of tens of thousands of users.
constexpr int kMaxSendBytes = 16 << 20;
constexpr size_t kMaxMemoryBytes = 128 << 20;
constexpr int kMaxStreamsPerConnection = 32;
constexpr int kKeepaliveMsec = 60'000;
constexpr int kKeepaliveTimeoutMsec = 20'000;
constexpr int kMinPingIntervalMsec = 20'000;
// Closes the connections of clients that do nothing: they are bounded.
constexpr int kMaxIdleMsec = 300'000;

void SetBounds(grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(kMaxReceiveBytes);
  builder.SetMaxSendMessageSize(kMaxSendBytes);
  builder.SetResourceQuota(
      grpc::ResourceQuota("fairsched").Resize(kMaxMemoryBytes));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             kMaxStreamsPerConnection);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMsec);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                             kKeepaliveTimeoutMsec);
  builder.AddChannelArgument(
      GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
      kMinPingIntervalMsec);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, kMaxIdleMsec);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ApiServer>> ApiServer::Start(
    const Deps& deps, const Options& options) {
  std::unique_ptr<ApiServer> api(new ApiServer(deps, options));
  // Holds for all servers of the process that are built from now on.
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  SetBounds(builder);
  builder.RegisterService(&api->policy_);
  builder.RegisterService(&api->usage_);
  builder.RegisterService(&api->node_);
  std::vector<
      std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>>
      interceptors;
  interceptors.push_back(CountCalls(deps.rpc_stats, deps.clock));
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  api->server_ = builder.BuildAndStart();
  if (api->server_ == nullptr) {
    return absl::InternalError("start the gRPC server: gRPC gave no reason");
  }
  api->Refresh();
  return api;
}

ApiServer::ApiServer(const Deps& deps, const Options& options)
    : loop_(deps.loop),
      policy_(deps.store),
      usage_(deps.loop, deps.store),
      node_({.loop = deps.loop,
             .placement = deps.placement,
             .store = deps.store,
             .start_time = options.start_time,
             .release = options.release}) {}

ApiServer::~ApiServer() { Stop(); }

void ApiServer::AddConnection(int fd) {
  grpc::AddInsecureChannelFromFd(server_.get(), fd);
}

std::shared_ptr<grpc::Channel> ApiServer::InProcessChannel() {
  return server_->InProcessChannel({});
}

void ApiServer::Refresh() {
  const bool enforcing =
      loop_.Latest()->enforcement == runtime::Enforcement::kEnforcing;
  if (enforcing_ == enforcing || server_ == nullptr) return;
  enforcing_ = enforcing;
  server_->GetHealthCheckService()->SetServingStatus(kEnforcementHealth,
                                                     enforcing);
}

void ApiServer::Stop() {
  if (server_ == nullptr) return;
  server_->GetHealthCheckService()->Shutdown();
  usage_.EndWatchers();
  const gpr_timespec wait =
      gpr_time_from_millis(absl::ToInt64Milliseconds(kStopTime), GPR_TIMESPAN);
  server_->Shutdown(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), wait));
  server_.reset();
}

}  // namespace fairsched::server
