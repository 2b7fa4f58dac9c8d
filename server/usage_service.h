// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_USAGE_SERVICE_H_
#define FAIRSCHED_SERVER_USAGE_SERVICE_H_

#include <cstddef>

#include "agent/runtime/control_loop.h"
#include "fairsched/v1/usage_service.grpc.pb.h"
#include "server/policy_store.h"
#include "server/usage_view.h"
#include "server/watch_body.h"
#include "server/watcher_set.h"

namespace fairsched::server {

// WatchUsage is served as bytes, so that its watchers can share them.
using UsageServiceBase = v1::UsageService::WithCallbackMethod_GetUserUsage<
    v1::UsageService::WithCallbackMethod_ListUserUsage<
        v1::UsageService::WithRawCallbackMethod_WatchUsage<
            v1::UsageService::WithCallbackMethod_ListWindows<
                v1::UsageService::WithCallbackMethod_ListGroupUsage<
                    v1::UsageService::Service>>>>>;

// Serves fairsched.v1.UsageService from the loop's last snapshot and the
// definitions. Thread-safe. Must outlive the server that serves it.
class UsageService final : public UsageServiceBase {
 public:
  UsageService(const runtime::ControlLoop& loop, const PolicyStore& store)
      : loop_(loop), store_(store) {}

  grpc::ServerUnaryReactor* GetUserUsage(grpc::CallbackServerContext* context,
                                         const v1::GetUserUsageRequest* request,
                                         v1::UserUsage* response) override;
  grpc::ServerUnaryReactor* ListUserUsage(
      grpc::CallbackServerContext* context,
      const v1::ListUserUsageRequest* request,
      v1::ListUserUsageResponse* response) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* WatchUsage(
      grpc::CallbackServerContext* context,
      const grpc::ByteBuffer* request) override;
  grpc::ServerUnaryReactor* ListGroupUsage(
      grpc::CallbackServerContext* context,
      const v1::ListGroupUsageRequest* request,
      v1::ListGroupUsageResponse* response) override;
  grpc::ServerUnaryReactor* ListWindows(
      grpc::CallbackServerContext* context,
      const v1::ListWindowsRequest* request,
      v1::ListWindowsResponse* response) override;

  // Calls of WatchUsage that are open.
  size_t watchers() const { return watchers_.size(); }
  // Ends them, and refuses new ones.
  void EndWatchers() { watchers_.EndAll(); }

 private:
  UsageView View() const { return ViewNow(loop_, store_); }
  absl::StatusOr<v1::UserUsage> Get(
      const v1::GetUserUsageRequest& request) const;
  absl::StatusOr<v1::ListUserUsageResponse> List(
      const v1::ListUserUsageRequest& request) const;
  absl::StatusOr<v1::ListWindowsResponse> List(
      const v1::ListWindowsRequest& request) const;

  const runtime::ControlLoop& loop_;
  const PolicyStore& store_;
  WatchBody body_;
  WatcherSet watchers_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_USAGE_SERVICE_H_
