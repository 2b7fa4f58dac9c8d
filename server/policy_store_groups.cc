// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/core/validate.h"
#include "server/errors.h"
#include "server/policy_store.h"
#include "server/resource_name.h"

namespace fairsched::server {
namespace {

using runtime::MutexLock;

absl::Status Check(const core::GroupPolicy& group, const core::Policy& policy) {
  core::Violations violations = core::CheckGroup(group);
  for (core::Violation& one : core::CheckParent(group, policy))
    violations.push_back(std::move(one));
  if (violations.empty()) return absl::OkStatus();
  return InvalidFields(Within("group", violations));
}

// The first of its members, as a resource name; empty: it has none.
std::string FirstMember(const PolicyContents& now, const core::GroupId& id) {
  for (const auto& [user_id, user] : now.users) {
    if (user->policy.group == id) return UserName(user_id);
  }
  for (const auto& [group_id, group] : now.groups) {
    if (group.policy.parent == id) return GroupName(group_id);
  }
  return "";
}

}  // namespace

absl::StatusOr<DefinedGroup> PolicyStore::CreateGroup(
    const core::GroupId& id, const GroupPatch& patch,
    const ChangeTerms& terms) {
  MutexLock write(write_mutex_);
  const std::shared_ptr<const PolicyContents> now = Read();
  if (now->groups.contains(id)) {
    return Error(absl::StatusCode::kAlreadyExists, ErrorReason::kGroupExists,
                 absl::StrCat(GroupName(id), " is defined already"));
  }
  return AddGroup(*now, id, patch, terms);
}

absl::StatusOr<DefinedGroup> PolicyStore::UpdateGroup(
    const GroupUpdate& update, const ChangeTerms& terms) {
  MutexLock write(write_mutex_);
  const std::shared_ptr<const PolicyContents> now = Read();
  const auto it = now->groups.find(update.id);
  if (it == now->groups.end()) {
    if (!update.if_missing.has_value()) return GroupNotDefined(update.id);
    RETURN_IF_ERROR(CheckEtag(GroupName(update.id), terms.etag, "none"));
    return AddGroup(*now, update.id, *update.if_missing, terms);
  }
  const DefinedGroup& old = it->second;
  RETURN_IF_ERROR(CheckEtag(GroupName(update.id), terms.etag, old.etag));
  DefinedGroup group = Patched(old, update.patch);
  if (group.policy == old.policy) return old;
  return PutGroup(*now, std::move(group), terms);
}

absl::Status PolicyStore::DeleteGroup(const core::GroupId& id,
                                      const ChangeTerms& terms) {
  MutexLock write(write_mutex_);
  const std::shared_ptr<const PolicyContents> now = Read();
  const auto it = now->groups.find(id);
  if (it == now->groups.end()) return GroupNotDefined(id);
  RETURN_IF_ERROR(CheckEtag(GroupName(id), terms.etag, it->second.etag));
  if (const std::string member = FirstMember(*now, id); !member.empty()) {
    return Error(absl::StatusCode::kFailedPrecondition,
                 ErrorReason::kGroupNotEmpty,
                 absl::StrCat(GroupName(id), " has members, as ", member,
                              ": take them out first"));
  }
  if (terms.validate_only) return absl::OkStatus();
  PolicyContents next = *now;
  next.groups.erase(id);
  ++next.revision;
  Commit(std::move(next));
  return absl::OkStatus();
}

absl::StatusOr<DefinedGroup> PolicyStore::AddGroup(const PolicyContents& now,
                                                   const core::GroupId& id,
                                                   const GroupPatch& patch,
                                                   const ChangeTerms& terms) {
  if (now.groups.size() >= kMaxGroups) {
    return Error(absl::StatusCode::kResourceExhausted,
                 ErrorReason::kTooManyGroups,
                 absl::StrCat(now.groups.size(), " groups are defined, and ",
                              kMaxGroups, " is the most"));
  }
  DefinedGroup blank;
  blank.policy.id = id;
  blank.create_time = clock_.WallTime();
  return PutGroup(now, Patched(std::move(blank), patch), terms);
}

absl::StatusOr<DefinedGroup> PolicyStore::PutGroup(const PolicyContents& now,
                                                   DefinedGroup group,
                                                   const ChangeTerms& terms) {
  RETURN_IF_ERROR(Check(group.policy, *now.policy));
  group.update_time = clock_.WallTime();
  group.etag.clear();
  if (terms.validate_only) return group;
  PolicyContents next = now;
  ++next.revision;
  group.etag = EtagOf(group.policy, next.revision);
  next.groups[group.policy.id] = group;
  Commit(std::move(next));
  return group;
}

}  // namespace fairsched::server
