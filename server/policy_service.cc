// SPDX-License-Identifier: Apache-2.0
#include "server/policy_service.h"

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "server/convert_settings.h"
#include "server/convert_user.h"
#include "server/errors.h"
#include "server/paging.h"
#include "server/resource_name.h"
#include "server/text.h"
#include "server/unary.h"

namespace fairsched::server {
namespace {

constexpr absl::string_view kCollection = "users";
constexpr size_t kShownBytes = 80;

absl::Status CheckSettingsName(absl::string_view name,
                               absl::string_view field) {
  if (name == kSettingsName) return absl::OkStatus();
  return InvalidField(field, absl::StrCat("'", Printable(name, kShownBytes),
                                          "' is not '", kSettingsName, "'"));
}

}  // namespace

absl::StatusOr<v1::User> PolicyService::Create(
    const v1::CreateUserRequest& request) {
  RETURN_IF_ERROR(CheckId(request.user_id(), "user_id"));
  const std::string name = UserName(request.user_id());
  if (!request.user().name().empty() && request.user().name() != name) {
    return InvalidField(
        "user.name",
        absl::StrCat("'", Printable(request.user().name(), kShownBytes),
                     "' is not '", name, "', as user_id says"));
  }
  ASSIGN_OR_RETURN(const UserPatch patch, ToPatch(request.user()));
  ASSIGN_OR_RETURN(
      const DefinedUser user,
      store_.Create(request.user_id(), patch,
                    {.etag = "", .validate_only = request.validate_only()}));
  return ToProto(user);
}

absl::StatusOr<v1::User> PolicyService::Get(
    const v1::GetUserRequest& request) const {
  ASSIGN_OR_RETURN(const core::UserId id,
                   ParseUserName(request.name(), "name"));
  const std::shared_ptr<const PolicyContents> now = store_.Read();
  const auto it = now->users.find(id);
  if (it == now->users.end()) return UserNotDefined(id);
  return ToProto(*it->second);
}

absl::StatusOr<v1::ListUsersResponse> PolicyService::List(
    const v1::ListUsersRequest& request) const {
  ASSIGN_OR_RETURN(const size_t size, PageSize(request.page_size(), {}));
  ASSIGN_OR_RETURN(const core::UserId after,
                   ParsePageToken(kCollection, request.page_token()));
  const std::shared_ptr<const PolicyContents> now = store_.Read();
  v1::ListUsersResponse response;
  core::UserId last;
  for (auto it = now->users.upper_bound(after); it != now->users.end(); ++it) {
    if (response.users_size() == static_cast<int>(size)) {
      response.set_next_page_token(PageToken(kCollection, last));
      break;
    }
    *response.add_users() = ToProto(*it->second);
    last = it->first;
  }
  return response;
}

absl::StatusOr<v1::User> PolicyService::Update(
    const v1::UpdateUserRequest& request) {
  PolicyStore::Update update;
  ASSIGN_OR_RETURN(update.id,
                   ParseUserName(request.user().name(), "user.name"));
  ASSIGN_OR_RETURN(update.patch,
                   ToPatch(request.user(), request.update_mask()));
  if (request.allow_missing()) {
    ASSIGN_OR_RETURN(update.if_missing, ToPatch(request.user()));
  }
  ASSIGN_OR_RETURN(
      const DefinedUser user,
      store_.UpdateUser(update, {.etag = request.user().etag(),
                                 .validate_only = request.validate_only()}));
  return ToProto(user);
}

absl::Status PolicyService::Delete(const v1::DeleteUserRequest& request) {
  ASSIGN_OR_RETURN(const core::UserId id,
                   ParseUserName(request.name(), "name"));
  return store_.Delete(id, {.etag = request.etag(), .validate_only = false});
}

absl::StatusOr<v1::Settings> PolicyService::Get(
    const v1::GetSettingsRequest& request) const {
  RETURN_IF_ERROR(CheckSettingsName(request.name(), "name"));
  return ToProto(store_.Read()->settings);
}

absl::StatusOr<v1::Settings> PolicyService::Update(
    const v1::UpdateSettingsRequest& request) {
  if (!request.settings().name().empty()) {
    RETURN_IF_ERROR(
        CheckSettingsName(request.settings().name(), "settings.name"));
  }
  ASSIGN_OR_RETURN(const SettingsPatch patch,
                   ToPatch(request.settings(), request.update_mask()));
  ASSIGN_OR_RETURN(
      const DefinedSettings settings,
      store_.UpdateSettings(patch, {.etag = request.settings().etag(),
                                    .validate_only = request.validate_only()}));
  return ToProto(settings);
}

grpc::ServerUnaryReactor* PolicyService::CreateUser(
    grpc::CallbackServerContext* context, const v1::CreateUserRequest* request,
    v1::User* response) {
  return Reply(context, Create(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::GetUser(
    grpc::CallbackServerContext* context, const v1::GetUserRequest* request,
    v1::User* response) {
  return Reply(context, Get(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::ListUsers(
    grpc::CallbackServerContext* context, const v1::ListUsersRequest* request,
    v1::ListUsersResponse* response) {
  return Reply(context, List(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::UpdateUser(
    grpc::CallbackServerContext* context, const v1::UpdateUserRequest* request,
    v1::User* response) {
  return Reply(context, Update(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::DeleteUser(
    grpc::CallbackServerContext* context, const v1::DeleteUserRequest* request,
    google::protobuf::Empty*) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpc(Delete(*request)));
  return reactor;
}

grpc::ServerUnaryReactor* PolicyService::GetSettings(
    grpc::CallbackServerContext* context, const v1::GetSettingsRequest* request,
    v1::Settings* response) {
  return Reply(context, Get(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::UpdateSettings(
    grpc::CallbackServerContext* context,
    const v1::UpdateSettingsRequest* request, v1::Settings* response) {
  return Reply(context, Update(*request), response);
}

}  // namespace fairsched::server
