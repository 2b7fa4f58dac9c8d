// SPDX-License-Identifier: Apache-2.0
#include "server/resource_name.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "agent/core/status_macros.h"
#include "agent/core/validate.h"
#include "server/errors.h"
#include "server/text.h"

namespace fairsched::server {
namespace {

constexpr absl::string_view kUsers = "users/";
constexpr absl::string_view kGroups = "groups/";
constexpr size_t kShownBytes = 80;

}  // namespace

std::string UserName(const core::UserId& id) {
  return absl::StrCat(kUsers, id);
}

absl::StatusOr<core::UserId> ParseUserName(absl::string_view name,
                                           absl::string_view field) {
  absl::string_view id = name;
  if (!absl::ConsumePrefix(&id, kUsers)) {
    return InvalidField(field, absl::StrCat("'", Printable(name, kShownBytes),
                                            "' is not users/{id}"));
  }
  RETURN_IF_ERROR(CheckUserId(id, field));
  return core::UserId(id);
}

std::string GroupName(const core::GroupId& id) {
  return id.empty() ? "" : absl::StrCat(kGroups, id);
}

absl::StatusOr<core::GroupId> ParseGroupName(absl::string_view name,
                                             absl::string_view field) {
  absl::string_view id = name;
  if (!absl::ConsumePrefix(&id, kGroups)) {
    return InvalidField(field, absl::StrCat("'", Printable(name, kShownBytes),
                                            "' is not groups/{id}"));
  }
  RETURN_IF_ERROR(CheckUserId(id, field));
  return core::GroupId(id);
}

absl::Status CheckUserId(absl::string_view id, absl::string_view field) {
  if (core::IsValidId(id)) return absl::OkStatus();
  return InvalidField(
      field, absl::StrCat("'", Printable(id, kShownBytes),
                          "' is not an id: 1..63 of a-z, 0-9 and hyphen, a "
                          "letter first, no hyphen last"));
}

}  // namespace fairsched::server
