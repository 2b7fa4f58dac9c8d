// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_UNIT_CLIENT_FAKE_DAEMON_H_
#define FAIRSCHED_TESTS_UNIT_CLIENT_FAKE_DAEMON_H_

#include <memory>
#include <string>
#include <vector>

#include "fairsched/v1/node_service.grpc.pb.h"
#include "fairsched/v1/policy_service.grpc.pb.h"
#include "fairsched/v1/usage_service.grpc.pb.h"
#include "grpcpp/grpcpp.h"

namespace fairsched::client {

// The API in this process. It gives the answers it was given and keeps the
// requests; it knows no rule of the real one but pages. For one call at a time.
class FakeDaemon {
 public:
  FakeDaemon() {
    grpc::ServerBuilder builder;
    builder.RegisterService(&policy_);
    builder.RegisterService(&usage_);
    builder.RegisterService(&node_);
    server_ = builder.BuildAndStart();
  }

  std::shared_ptr<grpc::Channel> Channel() {
    return server_->InProcessChannel({});
  }

  // What is asked for every call of the policy and node services, if not OK.
  grpc::Status error;

  // Answers.
  std::vector<v1::User> users;
  std::vector<v1::UserUsage> usages;
  v1::NodeUsage node;
  v1::User updated_user;
  v1::Settings settings;
  google::protobuf::Timestamp set_expire_time;  // beside what was asked for
  std::vector<v1::NodeStatus> statuses;  // one a call; the last one stays
  v1::ExplainUserResponse explanation;
  std::vector<v1::WatchUsageResponse> stream;
  bool stream_stays_open = false;
  int users_per_page = 1000;

  // Requests.
  v1::UpdateUserRequest update_user;
  v1::GetUserRequest get_user;
  v1::DeleteUserRequest delete_user;
  v1::UpdateGroupRequest update_group;
  v1::DeleteGroupRequest delete_group;
  v1::ListGroupUsageResponse group_usage;
  v1::UpdateSettingsRequest update_settings;
  v1::SetOverrideRequest set_override;
  v1::ClearOverrideRequest clear_override;
  v1::ExplainUserRequest explain_user;
  v1::WatchUsageRequest watch_usage;
  int calls = 0;
  int list_calls = 0;

 private:
  // The page that `token`, a number of items, begins.
  template <typename Item, typename Response>
  grpc::Status Page(const std::vector<Item>& items, const std::string& token,
                    Response* response) {
    ++list_calls;
    const size_t begin = token.empty() ? 0 : std::stoul(token);
    const size_t per_page = static_cast<size_t>(users_per_page);
    for (size_t i = begin; i < items.size() && i < begin + per_page; ++i) {
      *response->add_users() = items[i];
    }
    if (begin + per_page < items.size()) {
      response->set_next_page_token(std::to_string(begin + per_page));
    }
    return grpc::Status::OK;
  }

  template <typename Message>
  grpc::Status Answer(const Message& message, Message* response) {
    ++calls;
    if (error.ok()) *response = message;
    return error;
  }

  class Policy final : public v1::PolicyService::Service {
   public:
    explicit Policy(FakeDaemon& daemon) : daemon_(daemon) {}
    grpc::Status GetUser(grpc::ServerContext*,
                         const v1::GetUserRequest* request,
                         v1::User* response) override {
      daemon_.get_user = *request;
      return daemon_.Answer(daemon_.updated_user, response);
    }
    grpc::Status ListUsers(grpc::ServerContext*,
                           const v1::ListUsersRequest* request,
                           v1::ListUsersResponse* response) override {
      return daemon_.Page(daemon_.users, request->page_token(), response);
    }
    grpc::Status UpdateUser(grpc::ServerContext*,
                            const v1::UpdateUserRequest* request,
                            v1::User* response) override {
      daemon_.update_user = *request;
      return daemon_.Answer(daemon_.updated_user, response);
    }
    grpc::Status DeleteUser(grpc::ServerContext*,
                            const v1::DeleteUserRequest* request,
                            google::protobuf::Empty* response) override {
      daemon_.delete_user = *request;
      return daemon_.Answer(google::protobuf::Empty(), response);
    }
    grpc::Status UpdateGroup(grpc::ServerContext*,
                             const v1::UpdateGroupRequest* request,
                             v1::Group* response) override {
      daemon_.update_group = *request;
      return daemon_.Answer(request->group(), response);
    }
    grpc::Status GetGroup(grpc::ServerContext*,
                          const v1::GetGroupRequest* request,
                          v1::Group* response) override {
      v1::Group group;
      group.set_name(request->name());
      group.set_shares(200);
      group.set_limit_millicpus(1500);
      return daemon_.Answer(group, response);
    }
    grpc::Status DeleteGroup(grpc::ServerContext*,
                             const v1::DeleteGroupRequest* request,
                             google::protobuf::Empty* response) override {
      daemon_.delete_group = *request;
      return daemon_.Answer(google::protobuf::Empty(), response);
    }
    grpc::Status SetOverride(grpc::ServerContext*,
                             const v1::SetOverrideRequest* request,
                             v1::Override* response) override {
      daemon_.set_override = *request;
      v1::Override set = request->override();
      *set.mutable_expire_time() = daemon_.set_expire_time;
      return daemon_.Answer(set, response);
    }
    grpc::Status ClearOverride(grpc::ServerContext*,
                               const v1::ClearOverrideRequest* request,
                               google::protobuf::Empty* response) override {
      daemon_.clear_override = *request;
      return daemon_.Answer(google::protobuf::Empty(), response);
    }
    grpc::Status GetSettings(grpc::ServerContext*,
                             const v1::GetSettingsRequest*,
                             v1::Settings* response) override {
      return daemon_.Answer(daemon_.settings, response);
    }
    grpc::Status UpdateSettings(grpc::ServerContext*,
                                const v1::UpdateSettingsRequest* request,
                                v1::Settings* response) override {
      daemon_.update_settings = *request;
      return daemon_.Answer(daemon_.settings, response);
    }

   private:
    FakeDaemon& daemon_;
  };

  class Usage final : public v1::UsageService::Service {
   public:
    explicit Usage(FakeDaemon& daemon) : daemon_(daemon) {}
    grpc::Status ListUserUsage(grpc::ServerContext*,
                               const v1::ListUserUsageRequest* request,
                               v1::ListUserUsageResponse* response) override {
      *response->mutable_node() = daemon_.node;
      return daemon_.Page(daemon_.usages, request->page_token(), response);
    }
    grpc::Status ListGroupUsage(grpc::ServerContext*,
                                const v1::ListGroupUsageRequest*,
                                v1::ListGroupUsageResponse* response) override {
      return daemon_.Answer(daemon_.group_usage, response);
    }
    grpc::Status WatchUsage(
        grpc::ServerContext* context, const v1::WatchUsageRequest* request,
        grpc::ServerWriter<v1::WatchUsageResponse>* writer) override {
      daemon_.watch_usage = *request;
      for (const v1::WatchUsageResponse& response : daemon_.stream) {
        writer->Write(response);
      }
      // Ends when the client does: writing to it fails then.
      while (daemon_.stream_stays_open && !context->IsCancelled()) {
        writer->Write(v1::WatchUsageResponse());
      }
      return daemon_.error;
    }

   private:
    FakeDaemon& daemon_;
  };

  class Node final : public v1::NodeService::Service {
   public:
    explicit Node(FakeDaemon& daemon) : daemon_(daemon) {}
    grpc::Status GetStatus(grpc::ServerContext*, const v1::GetStatusRequest*,
                           v1::NodeStatus* response) override {
      if (daemon_.statuses.empty()) return daemon_.error;
      const v1::NodeStatus status = daemon_.statuses.front();
      if (daemon_.statuses.size() > 1) {
        daemon_.statuses.erase(daemon_.statuses.begin());
      }
      return daemon_.Answer(status, response);
    }
    grpc::Status ExplainUser(grpc::ServerContext*,
                             const v1::ExplainUserRequest* request,
                             v1::ExplainUserResponse* response) override {
      daemon_.explain_user = *request;
      return daemon_.Answer(daemon_.explanation, response);
    }
    grpc::Status ReleaseAll(grpc::ServerContext*, const v1::ReleaseAllRequest*,
                            v1::ReleaseAllResponse* response) override {
      v1::ReleaseAllResponse released;
      released.set_released_cgroup_count(2);
      return daemon_.Answer(released, response);
    }

   private:
    FakeDaemon& daemon_;
  };

  Policy policy_{*this};
  Usage usage_{*this};
  Node node_{*this};
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace fairsched::client

#endif  // FAIRSCHED_TESTS_UNIT_CLIENT_FAKE_DAEMON_H_
