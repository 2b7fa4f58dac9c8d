// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_API_SERVER_H_
#define FAIRSCHED_SERVER_API_SERVER_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "agent/runtime/clock.h"
#include "agent/runtime/control_loop.h"
#include "agent/runtime/node.h"
#include "grpcpp/channel.h"
#include "grpcpp/server.h"
#include "server/node_service.h"
#include "server/policy_service.h"
#include "server/policy_store.h"
#include "server/release_call.h"
#include "server/rpc_stats.h"
#include "server/usage_service.h"

namespace fairsched::server {

// The gRPC server with all services and grpc.health.v1. It listens nowhere:
// connections are given to it.
//
// Health: "" is serving while the server runs, "fairsched.v1.Enforcement" while
// decisions reach the kernel.
class ApiServer {
 public:
  // Must outlive the server.
  struct Deps {
    const runtime::Clock& clock;
    const runtime::ControlLoop& loop;
    const runtime::Placement& placement;
    PolicyStore& store;
    RpcStats& rpc_stats;
  };
  struct Options {
    absl::Time start_time;  // of the daemon
    ReleaseTiming release;
  };
  // Internal, if gRPC does not start.
  static absl::StatusOr<std::unique_ptr<ApiServer>> Start(
      const Deps& deps, const Options& options);

  ~ApiServer();  // calls Stop()
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  // Serves a connected non-blocking socket, and closes it in the end.
  // Thread-safe, but not to be called after Stop().
  void AddConnection(int fd);
  // A channel without a socket, for callers in this process.
  std::shared_ptr<grpc::Channel> InProcessChannel();

  // Brings the health of Enforcement up to date; to be called now and then, by
  // one thread at a time.
  void Refresh();
  // Calls of WatchUsage that are open. Thread-safe.
  size_t watchers() const { return usage_.watchers(); }

  // Ends watchers at once and other calls after kStopTime. Idempotent.
  void Stop();
  static constexpr absl::Duration kStopTime = absl::Seconds(2);

 private:
  ApiServer(const Deps& deps, const Options& options);

  const runtime::ControlLoop& loop_;
  PolicyService policy_;
  UsageService usage_;
  NodeService node_;
  std::optional<bool> enforcing_;  // as health was told
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_API_SERVER_H_
