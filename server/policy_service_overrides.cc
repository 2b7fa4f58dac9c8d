// SPDX-License-Identifier: Apache-2.0
#include "agent/core/status_macros.h"
#include "server/convert_override.h"
#include "server/paging.h"
#include "server/policy_service.h"
#include "server/resource_name.h"
#include "server/unary.h"

namespace fairsched::server {
namespace {

constexpr absl::string_view kCollection = "overrides";

}  // namespace

absl::StatusOr<v1::Override> PolicyService::Set(
    const v1::SetOverrideRequest& request) {
  ASSIGN_OR_RETURN(
      const core::UserId id,
      ParseOverrideName(request.override().name(), "override.name"));
  ASSIGN_OR_RETURN(const OverrideOrder order, ToOrder(request.override()));
  ASSIGN_OR_RETURN(
      const DefinedOverride override,
      store_.SetOverride(
          id, order, {.etag = "", .validate_only = request.validate_only()}));
  return ToProto(id, override);
}

absl::StatusOr<v1::Override> PolicyService::Get(
    const v1::GetOverrideRequest& request) const {
  ASSIGN_OR_RETURN(const core::UserId id,
                   ParseOverrideName(request.name(), "name"));
  ASSIGN_OR_RETURN(const DefinedOverride override, store_.GetOverride(id));
  return ToProto(id, override);
}

absl::StatusOr<v1::ListOverridesResponse> PolicyService::List(
    const v1::ListOverridesRequest& request) const {
  ASSIGN_OR_RETURN(const size_t size, PageSize(request.page_size(), {}));
  ASSIGN_OR_RETURN(const core::UserId after,
                   ParsePageToken(kCollection, request.page_token()));
  const std::shared_ptr<const PolicyContents> now = store_.Read();
  v1::ListOverridesResponse response;
  core::UserId last;
  for (auto it = now->overrides.upper_bound(after); it != now->overrides.end();
       ++it) {
    if (response.overrides_size() == static_cast<int>(size)) {
      response.set_next_page_token(PageToken(kCollection, last));
      break;
    }
    *response.add_overrides() = ToProto(it->first, it->second);
    last = it->first;
  }
  return response;
}

absl::Status PolicyService::Clear(const v1::ClearOverrideRequest& request) {
  ASSIGN_OR_RETURN(const core::UserId id,
                   ParseOverrideName(request.name(), "name"));
  return store_.ClearOverride(id);
}

grpc::ServerUnaryReactor* PolicyService::SetOverride(
    grpc::CallbackServerContext* context, const v1::SetOverrideRequest* request,
    v1::Override* response) {
  return Reply(context, Set(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::GetOverride(
    grpc::CallbackServerContext* context, const v1::GetOverrideRequest* request,
    v1::Override* response) {
  return Reply(context, Get(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::ListOverrides(
    grpc::CallbackServerContext* context,
    const v1::ListOverridesRequest* request,
    v1::ListOverridesResponse* response) {
  return Reply(context, List(*request), response);
}

grpc::ServerUnaryReactor* PolicyService::ClearOverride(
    grpc::CallbackServerContext* context,
    const v1::ClearOverrideRequest* request, google::protobuf::Empty*) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpc(Clear(*request)));
  return reactor;
}

}  // namespace fairsched::server
