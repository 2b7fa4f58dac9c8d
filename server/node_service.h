// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_NODE_SERVICE_H_
#define FAIRSCHED_SERVER_NODE_SERVICE_H_

#include "absl/time/time.h"
#include "agent/runtime/control_loop.h"
#include "agent/runtime/node.h"
#include "fairsched/v1/node_service.grpc.pb.h"
#include "server/policy_store.h"
#include "server/release_call.h"

namespace fairsched::server {

// Serves fairsched.v1.NodeService. Thread-safe.
class NodeService final : public v1::NodeService::CallbackService {
 public:
  struct Deps {
    const runtime::ControlLoop& loop;
    const runtime::Placement& placement;
    PolicyStore& store;
    absl::Time start_time;  // of the daemon
    ReleaseTiming release;
  };
  explicit NodeService(const Deps& deps) : deps_(deps) {}

  grpc::ServerUnaryReactor* GetStatus(grpc::CallbackServerContext* context,
                                      const v1::GetStatusRequest* request,
                                      v1::NodeStatus* response) override;
  grpc::ServerUnaryReactor* ExplainUser(
      grpc::CallbackServerContext* context,
      const v1::ExplainUserRequest* request,
      v1::ExplainUserResponse* response) override;
  grpc::ServerUnaryReactor* ReleaseAll(
      grpc::CallbackServerContext* context,
      const v1::ReleaseAllRequest* request,
      v1::ReleaseAllResponse* response) override;

 private:
  v1::NodeStatus Status() const;
  absl::StatusOr<v1::ExplainUserResponse> Explain(
      const v1::ExplainUserRequest& request) const;

  const Deps deps_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_NODE_SERVICE_H_
