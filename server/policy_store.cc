// SPDX-License-Identifier: Apache-2.0
#include "server/policy_store.h"

#include "absl/strings/str_cat.h"
#include "agent/core/expand.h"
#include "agent/core/status_macros.h"
#include "agent/core/validate.h"
#include "server/errors.h"
#include "server/resource_name.h"

namespace fairsched::server {
namespace {

using runtime::MutexLock;

absl::Status Check(const DefinedUser& user, const core::Policy& policy) {
  core::Violations violations = core::CheckUser(user.policy);
  AddTextProblem("display_name", user.display_name, violations);
  for (core::Violation& one : core::CheckGroupOf(user.policy, policy))
    violations.push_back(std::move(one));
  if (!violations.empty()) return InvalidFields(Within("user", violations));
  violations = core::CheckAgainst(user.policy, policy);
  if (!violations.empty()) return TakenSelectors(Within("user", violations));
  return absl::OkStatus();
}

bool SameContent(const DefinedUser& a, const DefinedUser& b) {
  return a.policy == b.policy && a.display_name == b.display_name;
}

// Of parts that are no users any more.
void DropOverridesOfParts(const core::UserId& whole, PolicyContents& contents) {
  std::erase_if(contents.overrides, [&](const auto& each) {
    return core::BaseOfExpanded(each.first) == whole &&
           !contents.users.contains(each.first);
  });
}

}  // namespace

PolicyStore::PolicyStore(const runtime::Clock& clock, Options options,
                         OnChange on_change)
    : clock_(clock),
      max_users_(options.max_users),
      why_not_enforce_(options.why_not_enforce),
      on_change_(std::move(on_change)) {
  auto first = std::make_shared<PolicyContents>();
  first->settings = {.values = options.settings,
                     .etag = EtagOf(options.settings, first->revision),
                     .update_time = clock_.WallTime()};
  first->policy = std::make_shared<const core::Policy>(
      std::move(options.settings), std::vector<core::UserPolicy>());
  Publish(std::move(first));
}

std::shared_ptr<const PolicyContents> PolicyStore::Read() const {
  MutexLock lock(mutex_);
  return contents_;
}

std::optional<uint64_t> PolicyStore::RevisionOf(
    const core::Policy& policy) const {
  MutexLock lock(mutex_);
  for (const auto& [made, revision] : revisions_) {
    if (made.lock().get() == &policy) return revision;
  }
  return std::nullopt;
}

absl::StatusOr<DefinedUser> PolicyStore::Create(const core::UserId& id,
                                                const UserPatch& patch,
                                                const ChangeTerms& terms) {
  MutexLock write(write_mutex_);
  const std::shared_ptr<const PolicyContents> now = Read();
  if (now->users.contains(id)) {
    return Error(absl::StatusCode::kAlreadyExists, ErrorReason::kUserExists,
                 absl::StrCat(UserName(id), " is defined already"));
  }
  return Add(*now, id, patch, terms);
}

absl::StatusOr<DefinedUser> PolicyStore::UpdateUser(const Update& update,
                                                    const ChangeTerms& terms) {
  MutexLock write(write_mutex_);
  const std::shared_ptr<const PolicyContents> now = Read();
  const auto it = now->users.find(update.id);
  if (it == now->users.end()) {
    if (!update.if_missing.has_value()) return UserNotDefined(update.id);
    RETURN_IF_ERROR(CheckEtag(UserName(update.id), terms.etag, "none"));
    return Add(*now, update.id, *update.if_missing, terms);
  }
  const DefinedUser& old = *it->second;
  RETURN_IF_ERROR(CheckEtag(UserName(update.id), terms.etag, old.etag));
  DefinedUser user = Patched(old, update.patch, now->settings.values);
  if (SameContent(user, old)) return old;
  return Put(*now, std::move(user), terms);
}

absl::Status PolicyStore::Delete(const core::UserId& id,
                                 const ChangeTerms& terms) {
  MutexLock write(write_mutex_);
  const std::shared_ptr<const PolicyContents> now = Read();
  const auto it = now->users.find(id);
  if (it == now->users.end()) return UserNotDefined(id);
  RETURN_IF_ERROR(CheckEtag(UserName(id), terms.etag, it->second->etag));
  if (terms.validate_only) return absl::OkStatus();
  PolicyContents next = *now;
  next.users.erase(id);
  // An implicit user, that it may become, keeps what is set for it.
  if (!core::UidOfImplicitId(id).has_value()) next.overrides.erase(id);
  DropOverridesOfParts(id, next);
  ++next.revision;
  Commit(std::move(next));
  return absl::OkStatus();
}

void PolicyStore::SetNames(core::KnownNames names) {
  MutexLock write(write_mutex_);
  if (names == names_) return;
  names_ = std::move(names);
  Commit(*Read());
}

absl::StatusOr<DefinedSettings> PolicyStore::UpdateSettings(
    const SettingsPatch& patch, const ChangeTerms& terms) {
  MutexLock write(write_mutex_);
  const std::shared_ptr<const PolicyContents> now = Read();
  RETURN_IF_ERROR(CheckEtag(kSettingsName, terms.etag, now->settings.etag));
  core::Settings values = Patched(now->settings.values, patch);
  const core::Violations violations = core::CheckSettings(values);
  if (!violations.empty()) return InvalidFields(Within("settings", violations));
  if (values == now->settings.values) return now->settings;
  if (values.mode == core::Mode::kEnforce && !why_not_enforce_.ok()) {
    return Error(absl::StatusCode::kFailedPrecondition,
                 ErrorReason::kCannotEnforce,
                 absl::StrCat("this node can only be observed: ",
                              why_not_enforce_.message()));
  }
  const absl::Time time = clock_.WallTime();
  if (terms.validate_only) {
    return DefinedSettings{
        .values = std::move(values), .etag = "", .update_time = time};
  }
  PolicyContents next = *now;
  ++next.revision;
  next.settings = {
      .values = std::move(values), .etag = "", .update_time = time};
  next.settings.etag = EtagOf(next.settings.values, next.revision);
  DefinedSettings result = next.settings;
  Commit(std::move(next));
  return result;
}

void PolicyStore::HoldObserving(const std::string& why) {
  MutexLock write(write_mutex_);
  const std::shared_ptr<const PolicyContents> now = Read();
  if (now->held_because == why) return;
  PolicyContents next = *now;
  next.held_because = why;
  ++next.revision;
  Commit(std::move(next));
}

absl::StatusOr<DefinedUser> PolicyStore::Add(const PolicyContents& now,
                                             const core::UserId& id,
                                             const UserPatch& patch,
                                             const ChangeTerms& terms) {
  if (now.users.size() >= max_users_) {
    return Error(absl::StatusCode::kResourceExhausted,
                 ErrorReason::kTooManyUsers,
                 absl::StrCat(now.users.size(), " users are defined, and ",
                              max_users_, " is the most"));
  }
  DefinedUser blank;
  blank.policy.id = id;
  blank.policy.shares = now.settings.values.default_shares;
  blank.create_time = clock_.WallTime();
  return Put(now, Patched(std::move(blank), patch, now.settings.values), terms);
}

absl::StatusOr<DefinedUser> PolicyStore::Put(const PolicyContents& now,
                                             DefinedUser user,
                                             const ChangeTerms& terms) {
  RETURN_IF_ERROR(Check(user, *now.policy));
  user.update_time = clock_.WallTime();
  user.etag.clear();
  if (terms.validate_only) return user;
  PolicyContents next = now;
  ++next.revision;
  user.etag = EtagOf(user, next.revision);
  next.users[user.policy.id] = std::make_shared<const DefinedUser>(user);
  if (!user.policy.expand) DropOverridesOfParts(user.policy.id, next);
  Commit(std::move(next));
  return user;
}

void PolicyStore::Commit(PolicyContents next) {
  std::vector<core::UserPolicy> users;
  users.reserve(next.users.size());
  for (const auto& [id, user] : next.users) users.push_back(user->policy);
  std::vector<core::GroupPolicy> groups;
  groups.reserve(next.groups.size());
  for (const auto& [id, group] : next.groups) groups.push_back(group.policy);
  core::Settings settings = next.settings.values;
  if (!next.held_because.empty()) settings.mode = core::Mode::kObserve;
  std::map<core::UserId, core::Override> overrides;
  for (const auto& [id, override] : next.overrides)
    overrides.emplace(id, override.what);
  next.policy = std::make_shared<const core::Policy>(
      std::move(settings), std::move(users), std::move(groups), names_,
      std::move(overrides));
  const std::shared_ptr<const core::Policy> policy = next.policy;
  const uint64_t revision = next.revision;
  Publish(std::make_shared<const PolicyContents>(std::move(next)));
  // Still under write_mutex_: policies arrive in the order of revisions.
  on_change_(policy, revision);
}

void PolicyStore::Publish(std::shared_ptr<const PolicyContents> next) {
  MutexLock lock(mutex_);
  std::erase_if(revisions_,
                [](const auto& made) { return made.first.expired(); });
  revisions_.emplace_back(next->policy, next->revision);
  // The old contents, if nobody reads them, are freed after the lock.
  contents_.swap(next);
}

}  // namespace fairsched::server
