// SPDX-License-Identifier: Apache-2.0
#include "server/convert_user.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "server/convert_limit.h"
#include "server/convert_time.h"
#include "server/errors.h"
#include "server/field_mask.h"
#include "server/resource_name.h"

namespace fairsched::server {
namespace {

constexpr char kDisplayName[] = "display_name";
constexpr char kSelectors[] = "selectors";
constexpr char kShares[] = "shares";
constexpr char kExempt[] = "exempt";
constexpr char kLimit[] = "limit";
constexpr char kBurst[] = "limit.burst";
constexpr char kSteal[] = "limit.steal";
constexpr char kNice[] = "nice";
constexpr char kGroup[] = "group";
constexpr char kExpand[] = "expand";

std::vector<std::string> AllFields() {
  return {kDisplayName, kSelectors, kShares, kExempt, kLimit,
          kBurst,       kSteal,     kNice,   kGroup,  kExpand};
}

FieldSet Populated(const v1::User& user) {
  FieldSet fields;
  if (!user.display_name().empty()) fields.insert(kDisplayName);
  if (!user.selectors().empty()) fields.insert(kSelectors);
  if (user.has_shares()) fields.insert(kShares);
  if (user.exempt()) fields.insert(kExempt);
  if (user.has_limit()) fields.insert(kLimit);
  if (user.nice() != 0) fields.insert(kNice);
  if (!user.group().empty()) fields.insert(kGroup);
  if (user.expand()) fields.insert(kExpand);
  return fields;
}

std::optional<core::Selector> SelectorOf(const v1::Selector& proto) {
  switch (proto.kind_case()) {
    case v1::Selector::kUid:
      return core::UidSelector(proto.uid());
    case v1::Selector::kLogin:
      return core::LoginSelector(proto.login());
    case v1::Selector::kUnit:
      return core::UnitSelector(proto.unit());
    case v1::Selector::kCgroup:
      return core::CgroupSelector(proto.cgroup());
    case v1::Selector::kUnixGroup:
      return core::UnixGroupSelector(proto.unix_group());
    case v1::Selector::KIND_NOT_SET:
      break;
  }
  return std::nullopt;
}

v1::Selector ToProto(const core::Selector& selector) {
  v1::Selector proto;
  switch (selector.kind) {
    case core::Selector::Kind::kUid:
      proto.set_uid(selector.uid);
      break;
    case core::Selector::Kind::kLogin:
      proto.set_login(selector.text);
      break;
    case core::Selector::Kind::kUnit:
      proto.set_unit(selector.text);
      break;
    case core::Selector::Kind::kCgroup:
      proto.set_cgroup(selector.text);
      break;
    case core::Selector::Kind::kUnixGroup:
      proto.set_unix_group(selector.text);
      break;
  }
  return proto;
}

absl::StatusOr<std::vector<core::Selector>> SelectorsOf(const v1::User& user) {
  std::vector<core::Selector> selectors;
  core::Violations violations;
  for (int i = 0; i < user.selectors_size(); ++i) {
    std::optional<core::Selector> selector = SelectorOf(user.selectors(i));
    if (selector.has_value()) {
      selectors.push_back(*std::move(selector));
    } else {
      violations.push_back(
          {.field = absl::StrCat("user.selectors[", i, "]"),
           .problem = "selects nothing: set its uid, login, unit, cgroup or "
                      "unix_group"});
    }
  }
  if (!violations.empty()) return InvalidFields(violations);
  return selectors;
}

// All of the limit or, where it is not named, what of it is.
absl::Status TakeLimit(const v1::User& user, const FieldSet& fields,
                       UserPatch& patch) {
  const v1::Limit& limit = user.limit();
  core::Violations violations;
  if (fields.contains(kLimit)) {
    patch.limit.emplace();
    if (user.has_limit())
      *patch.limit = FromProto(limit, "user.limit", violations);
  } else {
    if (fields.contains(kBurst)) {
      patch.burst = CpuTimeFrom(limit.burst(), "user.limit.burst", violations);
    }
    if (fields.contains(kSteal)) {
      patch.steal.emplace();
      if (limit.has_steal())
        *patch.steal = FromProto(limit.steal(), "user.limit.steal", violations);
    }
  }
  return violations.empty() ? absl::OkStatus() : InvalidFields(violations);
}

absl::StatusOr<UserPatch> PatchOf(const v1::User& user,
                                  const FieldSet& fields) {
  UserPatch patch;
  if (fields.contains(kDisplayName)) patch.display_name = user.display_name();
  if (fields.contains(kSelectors)) {
    ASSIGN_OR_RETURN(patch.selectors, SelectorsOf(user));
  }
  if (fields.contains(kShares)) {
    patch.shares = user.has_shares() ? std::optional<int32_t>(user.shares())
                                     : std::nullopt;
  }
  if (fields.contains(kExempt)) patch.exempt = user.exempt();
  RETURN_IF_ERROR(TakeLimit(user, fields, patch));
  if (fields.contains(kNice)) patch.nice = user.nice();
  if (fields.contains(kExpand)) patch.expand = user.expand();
  if (fields.contains(kGroup)) {
    patch.group.emplace();
    if (!user.group().empty()) {
      ASSIGN_OR_RETURN(*patch.group,
                       ParseGroupName(user.group(), "user.group"));
    }
  }
  return patch;
}

}  // namespace

v1::User ToProto(const DefinedUser& user) {
  v1::User proto;
  proto.set_name(UserName(user.policy.id));
  proto.set_display_name(user.display_name);
  for (const core::Selector& selector : user.policy.selectors) {
    *proto.add_selectors() = ToProto(selector);
  }
  proto.set_shares(user.policy.shares);
  proto.set_exempt(user.policy.exempt);
  if (user.policy.limit.has_value())
    *proto.mutable_limit() = ToProto(*user.policy.limit);
  proto.set_nice(user.policy.nice);
  proto.set_group(GroupName(user.policy.group));
  proto.set_expand(user.policy.expand);
  proto.set_etag(user.etag);
  proto.set_source(v1::User::SOURCE_API);
  *proto.mutable_create_time() = ToProto(user.create_time);
  *proto.mutable_update_time() = ToProto(user.update_time);
  return proto;
}

absl::StatusOr<UserPatch> ToPatch(const v1::User& user) {
  const std::vector<std::string> all = AllFields();
  FieldSet fields(all.begin(), all.end());
  // Burst and steal by themselves are those of the default limit.
  const v1::Limit& limit = user.limit();
  if (limit.kind_case() == v1::Limit::KIND_NOT_SET &&
      (limit.has_burst() || limit.has_steal())) {
    fields.erase(kLimit);
  }
  return PatchOf(user, fields);
}

absl::StatusOr<UserPatch> ToPatch(const v1::User& user,
                                  const google::protobuf::FieldMask& mask) {
  ASSIGN_OR_RETURN(const FieldSet fields,
                   ResolveMask(mask, {.allowed = AllFields(),
                                      .populated = Populated(user)}));
  return PatchOf(user, fields);
}

}  // namespace fairsched::server
