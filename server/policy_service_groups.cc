// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "server/convert_group.h"
#include "server/errors.h"
#include "server/paging.h"
#include "server/policy_service.h"
#include "server/resource_name.h"
#include "server/text.h"
#include "server/unary.h"

namespace fairsched::server {
namespace {

constexpr absl::string_view kCollection = "groups";
constexpr size_t kShownBytes = 80;

}  // namespace

absl::StatusOr<v1::Group> PolicyService::Create(
    const v1::CreateGroupRequest& request) {
  RETURN_IF_ERROR(CheckId(request.group_id(), "group_id"));
  const std::string name = GroupName(request.group_id());
  if (!request.group().name().empty() && request.group().name() != name) {
    return InvalidField(
        "group.name",
        absl::StrCat("'", Printable(request.group().name(), kShownBytes),
                     "' is not '", name, "', as group_id says"));
  }
  ASSIGN_OR_RETURN(const GroupPatch patch, ToPatch(request.group()));
  ASSIGN_OR_RETURN(const DefinedGroup group,
                   store_.CreateGroup(
                       request.group_id(), patch,
                       {.etag = "", .validate_only = request.validate_only()}));
  return ToProto(group);
}

absl::StatusOr<v1::Group> PolicyService::Get(
    const v1::GetGroupRequest& request) const {
  ASSIGN_OR_RETURN(const core::GroupId id,
                   ParseGroupName(request.name(), "name"));
  const std::shared_ptr<const PolicyContents> now = store_.Read();
  const auto it = now->groups.find(id);
  if (it == now->groups.end()) return GroupNotDefined(id);
  return ToProto(it->second);
}

absl::StatusOr<v1::ListGroupsResponse> PolicyService::List(
    const v1::ListGroupsRequest& request) const {
  ASSIGN_OR_RETURN(const size_t size, PageSize(request.page_size(), {}));
  ASSIGN_OR_RETURN(const core::GroupId after,
                   ParsePageToken(kCollection, request.page_token()));
  const std::shared_ptr<const PolicyContents> now = store_.Read();
  v1::ListGroupsResponse response;
  core::GroupId last;
  for (auto it = now->groups.upper_bound(after); it != now->groups.end();
       ++it) {
    if (response.groups_size() == static_cast<int>(size)) {
      response.set_next_page_token(PageToken(kCollection, last));
      break;
    }
    *response.add_groups() = ToProto(it->second);
    last = it->first;
  }
  return response;
}

absl::StatusOr<v1::Group> PolicyService::Update(
    const v1::UpdateGroupRequest& request) {
  PolicyStore::GroupUpdate update;
  ASSIGN_OR_RETURN(update.id,
                   ParseGroupName(request.group().name(), "group.name"));
  ASSIGN_OR_RETURN(update.patch,
                   ToPatch(request.group(), request.update_mask()));
  if (request.allow_missing()) {
    ASSIGN_OR_RETURN(update.if_missing, ToPatch(request.group()));
  }
  ASSIGN_OR_RETURN(
      const DefinedGroup group,
      store_.UpdateGroup(update, {.etag = request.group().etag(),
                                  .validate_only = request.validate_only()}));
  return ToProto(group);
}

absl::Status PolicyService::Delete(const v1::DeleteGroupRequest& request) {
  ASSIGN_OR_RETURN(const core::GroupId id,
                   ParseGroupName(request.name(), "name"));
  return store_.DeleteGroup(id,
                            {.etag = request.etag(), .validate_only = false});
}

grpc::ServerUnaryReactor* PolicyService::CreateGroup(
    grpc::CallbackServerContext* context, const v1::CreateGroupRequest* request,
    v1::Group* response) {
  return Reply(context, Create(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::GetGroup(
    grpc::CallbackServerContext* context, const v1::GetGroupRequest* request,
    v1::Group* response) {
  return Reply(context, Get(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::ListGroups(
    grpc::CallbackServerContext* context, const v1::ListGroupsRequest* request,
    v1::ListGroupsResponse* response) {
  return Reply(context, List(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::UpdateGroup(
    grpc::CallbackServerContext* context, const v1::UpdateGroupRequest* request,
    v1::Group* response) {
  return Reply(context, Update(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::DeleteGroup(
    grpc::CallbackServerContext* context, const v1::DeleteGroupRequest* request,
    google::protobuf::Empty*) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpc(Delete(*request)));
  return reactor;
}

}  // namespace fairsched::server
