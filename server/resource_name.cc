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
constexpr absl::string_view kOverride = "/override";
constexpr absl::string_view kGroups = "groups/";
constexpr size_t kShownBytes = 80;

// The id in `name`, which is that and `collection`.
absl::StatusOr<std::string> ParseName(absl::string_view collection,
                                      absl::string_view name,
                                      absl::string_view field) {
  absl::string_view id = name;
  if (!absl::ConsumePrefix(&id, collection)) {
    return InvalidField(field, absl::StrCat("'", Printable(name, kShownBytes),
                                            "' is not ", collection, "{id}"));
  }
  RETURN_IF_ERROR(CheckId(id, field));
  return std::string(id);
}

}  // namespace

std::string UserName(const core::UserId& id) {
  return absl::StrCat(kUsers, id);
}

absl::StatusOr<core::UserId> ParseUserName(absl::string_view name,
                                           absl::string_view field) {
  return ParseName(kUsers, name, field);
}

std::string OverrideName(const core::UserId& id) {
  return absl::StrCat(kUsers, id, kOverride);
}

absl::StatusOr<core::UserId> ParseOverrideName(absl::string_view name,
                                               absl::string_view field) {
  absl::string_view user = name;
  if (!absl::ConsumeSuffix(&user, kOverride)) {
    return InvalidField(
        field, absl::StrCat("'", Printable(name, kShownBytes), "' is not ",
                            kUsers, "{id}", kOverride));
  }
  return ParseName(kUsers, user, field);
}

std::string GroupName(const core::GroupId& id) {
  return id.empty() ? "" : absl::StrCat(kGroups, id);
}

absl::StatusOr<core::GroupId> ParseGroupName(absl::string_view name,
                                             absl::string_view field) {
  return ParseName(kGroups, name, field);
}

absl::Status CheckId(absl::string_view id, absl::string_view field) {
  if (core::IsValidId(id)) return absl::OkStatus();
  return InvalidField(
      field, absl::StrCat("'", Printable(id, kShownBytes),
                          "' is not an id: 1..63 of a-z, 0-9 and hyphen, a "
                          "letter first, no hyphen last"));
}

}  // namespace fairsched::server
