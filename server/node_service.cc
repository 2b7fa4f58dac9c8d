// SPDX-License-Identifier: Apache-2.0
#include "server/node_service.h"

#include <memory>
#include <string>

#include "agent/core/status_macros.h"
#include "server/convert_settings.h"
#include "server/convert_time.h"
#include "server/convert_usage.h"
#include "server/errors.h"
#include "server/explain.h"
#include "server/resource_name.h"
#include "server/unary.h"
#include "server/usage_view.h"

namespace fairsched::server {
namespace {

v1::NodeStatus::Enforcement EnumOf(runtime::Enforcement enforcement) {
  switch (enforcement) {
    case runtime::Enforcement::kObserving:
      return v1::NodeStatus::ENFORCEMENT_OBSERVING;
    case runtime::Enforcement::kEnforcing:
      return v1::NodeStatus::ENFORCEMENT_ENFORCING;
    case runtime::Enforcement::kReleased:
      return v1::NodeStatus::ENFORCEMENT_RELEASED;
  }
  return v1::NodeStatus::ENFORCEMENT_UNSPECIFIED;
}

std::string Text(const absl::Status& status) {
  return status.ok() ? "" : std::string(status.message());
}

void AddLoop(const runtime::Snapshot& snapshot, v1::NodeStatus& status) {
  const runtime::LoopStats& stats = snapshot.stats;
  status.set_enforcement(EnumOf(snapshot.enforcement));
  status.set_last_error(Text(snapshot.last_error));
  status.set_no_controller_cgroup_count(
      runtime::WithoutController(snapshot.applied));
  *status.mutable_sample_time() = ToProto(snapshot.time);
  *status.mutable_tick() = ToProto(snapshot.policy->settings().tick);
  status.set_tick_count(static_cast<int64_t>(stats.ticks));
  status.set_failed_tick_count(static_cast<int64_t>(stats.failed_ticks));
  status.set_overrun_count(static_cast<int64_t>(stats.overruns));
  int64_t drifts = 0;
  for (const auto& [cause, count] : snapshot.applied.drifts) drifts += count;
  status.set_drift_count(drifts);
  int64_t present = 0;
  int64_t not_enforced = 0;
  for (const core::UserDecision& user : snapshot.decision.users) {
    present += user.state != core::UserState::kAbsent ? 1 : 0;
    not_enforced += EnforcementOf(snapshot, user).kind ==
                            UserEnforcement::Kind::kNotEnforced
                        ? 1
                        : 0;
  }
  status.set_present_user_count(present);
  status.set_not_enforced_user_count(not_enforced);
  *status.mutable_usage() = NodeUsageOf(snapshot);
}

void AddPlacement(const runtime::PlacementReport& report,
                  v1::NodeStatus& status) {
  status.set_backend(report.backend);
  status.set_placement(report.placement);
  status.set_placement_root(report.root);
  status.set_placement_error(Text(report.last_error));
  status.mutable_notes()->Add(report.notes.begin(), report.notes.end());
  status.mutable_features()->Add(report.features.begin(),
                                 report.features.end());
}

}  // namespace

v1::NodeStatus NodeService::Status() const {
  const UsageView view = ViewNow(deps_.loop, deps_.store);
  v1::NodeStatus status;
  status.set_version(FAIRSCHED_VERSION);
  status.set_mode(ToProto(view.contents->settings.values.mode));
  status.set_held_because(view.contents->held_because);
  *status.mutable_start_time() = ToProto(deps_.start_time);
  const std::optional<uint64_t> revision =
      deps_.store.RevisionOf(*view.snapshot->policy);
  status.set_policy_revision(static_cast<int64_t>(revision.value_or(0)));
  status.set_override_count(
      static_cast<int64_t>(view.contents->overrides.size()));
  AddLoop(*view.snapshot, status);
  AddPlacement(*deps_.placement.Report(), status);
  return status;
}

absl::StatusOr<v1::ExplainUserResponse> NodeService::Explain(
    const v1::ExplainUserRequest& request) const {
  ASSIGN_OR_RETURN(const core::UserId id,
                   ParseUserName(request.name(), "name"));
  const UsageView view = ViewNow(deps_.loop, deps_.store);
  const std::optional<ViewedUser> user = FindUser(view, id);
  if (!user.has_value()) return UserNotFound(id);
  v1::ExplainUserResponse response;
  *response.mutable_usage() = ToProto(view, *user);
  for (std::string& line : server::Explain(view, *user)) {
    response.add_lines(std::move(line));
  }
  return response;
}

grpc::ServerUnaryReactor* NodeService::GetStatus(
    grpc::CallbackServerContext* context, const v1::GetStatusRequest*,
    v1::NodeStatus* response) {
  return Reply(context, absl::StatusOr<v1::NodeStatus>(Status()), response);
}

grpc::ServerUnaryReactor* NodeService::ExplainUser(
    grpc::CallbackServerContext* context, const v1::ExplainUserRequest* request,
    v1::ExplainUserResponse* response) {
  return Reply(context, Explain(*request), response);
}

grpc::ServerUnaryReactor* NodeService::ReleaseAll(
    grpc::CallbackServerContext* context, const v1::ReleaseAllRequest*,
    v1::ReleaseAllResponse* response) {
  const std::shared_ptr<const runtime::PlacementReport> placement =
      deps_.placement.Report();
  const bool is_held =
      placement->placing ||
      deps_.loop.Latest()->enforcement == runtime::Enforcement::kEnforcing;
  const int64_t cgroups = is_held ? placement->cgroups : 0;
  const absl::StatusOr<DefinedSettings> settings =
      deps_.store.UpdateSettings({.mode = core::Mode::kObserve}, {});
  if (!settings.ok()) {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(ToGrpc(settings.status()));
    return reactor;
  }
  // It deletes itself when the call is over.
  auto call = std::make_unique<ReleaseCall>(
      ReleaseCall::Deps{.loop = deps_.loop, .placement = deps_.placement},
      deps_.release, cgroups, response);
  call->Start();
  return call.release();
}

}  // namespace fairsched::server
