// SPDX-License-Identifier: Apache-2.0
#include "server/paging.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "agent/core/validate.h"
#include "server/errors.h"

namespace fairsched::server {
namespace {

constexpr size_t kMaxTokenBytes = 256;

std::string Prefix(absl::string_view collection) {
  return absl::StrCat(collection, ">");
}

}  // namespace

absl::StatusOr<size_t> PageSize(int32_t requested, PageBounds bounds) {
  if (requested < 0) {
    return InvalidField("page_size",
                        absl::StrCat(requested, " is not in 0..", bounds.most));
  }
  if (requested == 0) return bounds.standard;
  return std::min(static_cast<size_t>(requested), bounds.most);
}

std::string PageToken(absl::string_view collection, const core::UserId& last) {
  return absl::WebSafeBase64Escape(absl::StrCat(Prefix(collection), last));
}

absl::StatusOr<core::UserId> ParsePageToken(absl::string_view collection,
                                            absl::string_view token) {
  if (token.empty()) return core::UserId();
  std::string decoded;
  absl::string_view id;
  bool ours = token.size() <= kMaxTokenBytes &&
              absl::WebSafeBase64Unescape(token, &decoded);
  if (ours) {
    id = decoded;
    ours = absl::ConsumePrefix(&id, Prefix(collection)) && core::IsValidId(id);
  }
  if (!ours) {
    return InvalidField("page_token",
                        "not a token that this list returned: use "
                        "next_page_token of the page before");
  }
  return core::UserId(id);
}

}  // namespace fairsched::server
