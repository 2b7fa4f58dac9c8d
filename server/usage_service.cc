// SPDX-License-Identifier: Apache-2.0
#include "server/usage_service.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "server/convert_group.h"
#include "server/convert_time.h"
#include "server/convert_usage.h"
#include "server/convert_window.h"
#include "server/errors.h"
#include "server/grpc_status.h"
#include "server/paging.h"
#include "server/resource_name.h"
#include "server/unary.h"
#include "server/watcher.h"

namespace fairsched::server {
namespace {

constexpr absl::string_view kCollection = "usage";
constexpr PageBounds kWindowPages = {.standard = 20,
                                     .most = runtime::Snapshot::kKeptWindows};
constexpr absl::Duration kMinInterval = absl::Milliseconds(100);
constexpr absl::Duration kMaxInterval = absl::Seconds(60);

absl::StatusOr<Watcher::Request> ParseWatch(const grpc::ByteBuffer& bytes) {
  // Deserialising takes the buffer; a copy shares the bytes.
  grpc::ByteBuffer copy(bytes);
  v1::WatchUsageRequest request;
  if (!grpc::SerializationTraits<v1::WatchUsageRequest>::Deserialize(&copy,
                                                                     &request)
           .ok()) {
    return Error(absl::StatusCode::kInvalidArgument, ErrorReason::kInvalidField,
                 "the request is no WatchUsageRequest");
  }
  Watcher::Request watch = {.interval = absl::Seconds(1),
                            .windows = request.windows()};
  if (!request.has_interval()) return watch;
  const std::optional<absl::Duration> interval = FromProto(request.interval());
  if (!interval.has_value() || *interval < kMinInterval ||
      *interval > kMaxInterval) {
    return InvalidField(
        "interval", absl::StrCat(request.interval().seconds(), " s and ",
                                 request.interval().nanos(), " ns is not in ",
                                 absl::FormatDuration(kMinInterval), "..",
                                 absl::FormatDuration(kMaxInterval)));
  }
  watch.interval = *interval;
  return watch;
}

// A stream that only fails.
class FailedWatch final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  explicit FailedWatch(const absl::Status& why) { Finish(ToGrpc(why)); }
  void OnDone() override { delete this; }
};

}  // namespace

absl::StatusOr<v1::UserUsage> UsageService::Get(
    const v1::GetUserUsageRequest& request) const {
  ASSIGN_OR_RETURN(const core::UserId id,
                   ParseUserName(request.name(), "name"));
  const UsageView view = View();
  const std::optional<ViewedUser> user = FindUser(view, id);
  if (!user.has_value()) return UserNotFound(id);
  return ToProto(view, *user);
}

absl::StatusOr<v1::ListUserUsageResponse> UsageService::List(
    const v1::ListUserUsageRequest& request) const {
  ASSIGN_OR_RETURN(const size_t size, PageSize(request.page_size(), {}));
  ASSIGN_OR_RETURN(const core::UserId after,
                   ParsePageToken(kCollection, request.page_token()));
  const UsageView view = View();
  v1::ListUserUsageResponse response;
  *response.mutable_node() = NodeUsageOf(*view.snapshot);
  *response.mutable_sample_time() = ToProto(view.snapshot->time);
  core::UserId last;
  VisitUsers(view, after, [&](const ViewedUser& user) {
    if (response.users_size() == static_cast<int>(size)) {
      response.set_next_page_token(PageToken(kCollection, last));
      return false;
    }
    *response.add_users() = ToProto(view, user);
    last = user.id();
    return true;
  });
  return response;
}

absl::StatusOr<v1::ListWindowsResponse> UsageService::List(
    const v1::ListWindowsRequest& request) const {
  ASSIGN_OR_RETURN(const size_t size,
                   PageSize(request.page_size(), kWindowPages));
  const std::shared_ptr<const runtime::Snapshot> snapshot = loop_.Latest();
  v1::ListWindowsResponse response;
  if (snapshot->windows == nullptr) return response;
  const auto& windows = *snapshot->windows;
  for (auto it = windows.rbegin(); it != windows.rend(); ++it) {
    if (response.windows_size() == static_cast<int>(size)) break;
    *response.add_windows() = ToProto(*it, *snapshot);
  }
  return response;
}

grpc::ServerUnaryReactor* UsageService::GetUserUsage(
    grpc::CallbackServerContext* context,
    const v1::GetUserUsageRequest* request, v1::UserUsage* response) {
  return Reply(context, Get(*request), response);
}

grpc::ServerUnaryReactor* UsageService::ListUserUsage(
    grpc::CallbackServerContext* context,
    const v1::ListUserUsageRequest* request,
    v1::ListUserUsageResponse* response) {
  return Reply(context, List(*request), response);
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* UsageService::WatchUsage(
    grpc::CallbackServerContext*, const grpc::ByteBuffer* request) {
  const absl::StatusOr<Watcher::Request> watch = ParseWatch(*request);
  if (!watch.ok()) return new FailedWatch(watch.status());
  auto watcher = std::make_unique<Watcher>(
      Watcher::Deps{
          .view = [this] { return View(); }, .body = body_, .set = watchers_},
      *watch);
  const absl::Status joined = watchers_.Join(*watcher);
  if (!joined.ok()) return new FailedWatch(joined);
  watcher->Start();
  // It deletes itself when the call is over.
  return watcher.release();
}

grpc::ServerUnaryReactor* UsageService::ListGroupUsage(
    grpc::CallbackServerContext* context, const v1::ListGroupUsageRequest*,
    v1::ListGroupUsageResponse* response) {
  const std::shared_ptr<const runtime::Snapshot> snapshot = loop_.Latest();
  for (const core::GroupDecision& group : snapshot->decision.groups)
    *response->add_groups() = ToProto(group);
  *response->mutable_sample_time() = ToProto(snapshot->time);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerUnaryReactor* UsageService::ListWindows(
    grpc::CallbackServerContext* context, const v1::ListWindowsRequest* request,
    v1::ListWindowsResponse* response) {
  return Reply(context, List(*request), response);
}

}  // namespace fairsched::server
