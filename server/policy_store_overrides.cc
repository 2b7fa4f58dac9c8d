// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/core/validate.h"
#include "server/errors.h"
#include "server/policy_store.h"
#include "server/resource_name.h"

namespace fairsched::server {
namespace {

using runtime::MutexLock;

constexpr int32_t kDefaultBoost = 4;
constexpr int64_t kFloorsOfRestriction = 10;

// Defined, a part of one that expands (which of them are there, the policy
// doesn't know), or implicit now.
bool IsUser(const PolicyContents& now, const core::UserId& id) {
  if (now.policy->DefinitionOf(id) != nullptr) return true;
  const std::optional<int64_t> uid = core::UidOfImplicitId(id);
  return uid.has_value() && now.policy->UserOfUid(*uid) == id;
}

core::Override What(const OverrideOrder& order,
                    const core::Settings& settings) {
  core::Override what{.kind = order.kind};
  switch (order.kind) {
    case core::Override::Kind::kRestrict:
      what.millicpus = order.millicpus.value_or(
          std::max(settings.floor_millicpus * kFloorsOfRestriction,
                   core::kMinLimitMillicpus));
      break;
    case core::Override::Kind::kBoost:
      what.factor = order.factor.value_or(kDefaultBoost);
      break;
    case core::Override::Kind::kExempt:
      break;
  }
  return what;
}

absl::Status Check(const DefinedOverride& override, absl::Time now,
                   bool by_ttl) {
  core::Violations violations =
      core::CheckOverride(override.what, override.expire_time - now);
  for (core::Violation& one : violations) {
    if (by_ttl && one.field == "expire_time") one.field = "ttl";
  }
  AddTextProblem("why", override.why, violations);
  if (violations.empty()) return absl::OkStatus();
  return InvalidFields(Within("override", violations));
}

absl::Status OverrideNotSet(const core::UserId& id) {
  return Error(absl::StatusCode::kNotFound, ErrorReason::kOverrideNotFound,
               absl::StrCat(OverrideName(id), " is not set"));
}

}  // namespace

absl::StatusOr<DefinedOverride> PolicyStore::SetOverride(
    const core::UserId& id, const OverrideOrder& order,
    const ChangeTerms& terms) {
  MutexLock write(write_mutex_);
  const std::shared_ptr<const PolicyContents> now = Read();
  if (!IsUser(*now, id)) return UserNotFound(id);
  const absl::Time time = clock_.WallTime();
  DefinedOverride override{
      .what = What(order, now->settings.values),
      .expire_time = order.ttl.has_value() ? time + *order.ttl
                                           : order.expire_time.value_or(time),
      .create_time = time,
      .why = order.why};
  RETURN_IF_ERROR(Check(override, time, order.ttl.has_value()));
  if (order.kind == core::Override::Kind::kRestrict &&
      now->policy->Of(id).exempt) {
    return Error(absl::StatusCode::kFailedPrecondition,
                 ErrorReason::kUserIsExempt,
                 absl::StrCat(UserName(id),
                              " is exempt, which a restriction does not end"));
  }
  if (!now->overrides.contains(id) && now->overrides.size() >= max_users_) {
    return Error(absl::StatusCode::kResourceExhausted,
                 ErrorReason::kTooManyOverrides,
                 absl::StrCat(now->overrides.size(), " overrides are set, and ",
                              max_users_, " is the most"));
  }
  if (terms.validate_only) return override;
  PolicyContents next = *now;
  next.overrides[id] = override;
  ++next.revision;
  Commit(std::move(next));
  return override;
}

absl::StatusOr<DefinedOverride> PolicyStore::GetOverride(
    const core::UserId& id) const {
  const std::shared_ptr<const PolicyContents> now = Read();
  const auto it = now->overrides.find(id);
  if (it == now->overrides.end()) return OverrideNotSet(id);
  return it->second;
}

absl::Status PolicyStore::ClearOverride(const core::UserId& id) {
  MutexLock write(write_mutex_);
  const std::shared_ptr<const PolicyContents> now = Read();
  if (!now->overrides.contains(id)) return OverrideNotSet(id);
  PolicyContents next = *now;
  next.overrides.erase(id);
  ++next.revision;
  Commit(std::move(next));
  return absl::OkStatus();
}

std::vector<core::UserId> PolicyStore::ExpireOverrides() {
  MutexLock write(write_mutex_);
  const std::shared_ptr<const PolicyContents> now = Read();
  const absl::Time time = clock_.WallTime();
  std::vector<core::UserId> expired;
  for (const auto& [id, override] : now->overrides) {
    if (override.expire_time <= time) expired.push_back(id);
  }
  if (expired.empty()) return expired;
  PolicyContents next = *now;
  for (const core::UserId& id : expired) next.overrides.erase(id);
  ++next.revision;
  Commit(std::move(next));
  return expired;
}

}  // namespace fairsched::server
