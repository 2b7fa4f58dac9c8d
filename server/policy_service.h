// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_POLICY_SERVICE_H_
#define FAIRSCHED_SERVER_POLICY_SERVICE_H_

#include "fairsched/v1/policy_service.grpc.pb.h"
#include "server/policy_store.h"

namespace fairsched::server {

// Serves fairsched.v1.PolicyService from a store. Thread-safe.
class PolicyService final : public v1::PolicyService::CallbackService {
 public:
  explicit PolicyService(PolicyStore& store) : store_(store) {}

  grpc::ServerUnaryReactor* CreateUser(grpc::CallbackServerContext* context,
                                       const v1::CreateUserRequest* request,
                                       v1::User* response) override;
  grpc::ServerUnaryReactor* GetUser(grpc::CallbackServerContext* context,
                                    const v1::GetUserRequest* request,
                                    v1::User* response) override;
  grpc::ServerUnaryReactor* ListUsers(grpc::CallbackServerContext* context,
                                      const v1::ListUsersRequest* request,
                                      v1::ListUsersResponse* response) override;
  grpc::ServerUnaryReactor* UpdateUser(grpc::CallbackServerContext* context,
                                       const v1::UpdateUserRequest* request,
                                       v1::User* response) override;
  grpc::ServerUnaryReactor* DeleteUser(
      grpc::CallbackServerContext* context,
      const v1::DeleteUserRequest* request,
      google::protobuf::Empty* response) override;
  grpc::ServerUnaryReactor* CreateGroup(grpc::CallbackServerContext* context,
                                        const v1::CreateGroupRequest* request,
                                        v1::Group* response) override;
  grpc::ServerUnaryReactor* GetGroup(grpc::CallbackServerContext* context,
                                     const v1::GetGroupRequest* request,
                                     v1::Group* response) override;
  grpc::ServerUnaryReactor* ListGroups(
      grpc::CallbackServerContext* context,
      const v1::ListGroupsRequest* request,
      v1::ListGroupsResponse* response) override;
  grpc::ServerUnaryReactor* UpdateGroup(grpc::CallbackServerContext* context,
                                        const v1::UpdateGroupRequest* request,
                                        v1::Group* response) override;
  grpc::ServerUnaryReactor* DeleteGroup(
      grpc::CallbackServerContext* context,
      const v1::DeleteGroupRequest* request,
      google::protobuf::Empty* response) override;
  grpc::ServerUnaryReactor* SetOverride(grpc::CallbackServerContext* context,
                                        const v1::SetOverrideRequest* request,
                                        v1::Override* response) override;
  grpc::ServerUnaryReactor* GetOverride(grpc::CallbackServerContext* context,
                                        const v1::GetOverrideRequest* request,
                                        v1::Override* response) override;
  grpc::ServerUnaryReactor* ListOverrides(
      grpc::CallbackServerContext* context,
      const v1::ListOverridesRequest* request,
      v1::ListOverridesResponse* response) override;
  grpc::ServerUnaryReactor* ClearOverride(
      grpc::CallbackServerContext* context,
      const v1::ClearOverrideRequest* request,
      google::protobuf::Empty* response) override;
  grpc::ServerUnaryReactor* GetSettings(grpc::CallbackServerContext* context,
                                        const v1::GetSettingsRequest* request,
                                        v1::Settings* response) override;
  grpc::ServerUnaryReactor* UpdateSettings(
      grpc::CallbackServerContext* context,
      const v1::UpdateSettingsRequest* request,
      v1::Settings* response) override;

 private:
  absl::StatusOr<v1::User> Create(const v1::CreateUserRequest& request);
  absl::StatusOr<v1::User> Get(const v1::GetUserRequest& request) const;
  absl::StatusOr<v1::ListUsersResponse> List(
      const v1::ListUsersRequest& request) const;
  absl::StatusOr<v1::User> Update(const v1::UpdateUserRequest& request);
  absl::Status Delete(const v1::DeleteUserRequest& request);
  absl::StatusOr<v1::Group> Create(const v1::CreateGroupRequest& request);
  absl::StatusOr<v1::Group> Get(const v1::GetGroupRequest& request) const;
  absl::StatusOr<v1::ListGroupsResponse> List(
      const v1::ListGroupsRequest& request) const;
  absl::StatusOr<v1::Group> Update(const v1::UpdateGroupRequest& request);
  absl::Status Delete(const v1::DeleteGroupRequest& request);
  absl::StatusOr<v1::Override> Set(const v1::SetOverrideRequest& request);
  absl::StatusOr<v1::Override> Get(const v1::GetOverrideRequest& request) const;
  absl::StatusOr<v1::ListOverridesResponse> List(
      const v1::ListOverridesRequest& request) const;
  absl::Status Clear(const v1::ClearOverrideRequest& request);
  absl::StatusOr<v1::Settings> Get(const v1::GetSettingsRequest& request) const;
  absl::StatusOr<v1::Settings> Update(const v1::UpdateSettingsRequest& request);

  PolicyStore& store_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_POLICY_SERVICE_H_
