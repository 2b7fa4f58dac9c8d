// SPDX-License-Identifier: Apache-2.0
#include "server/field_mask.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "server/errors.h"
#include "server/text.h"

namespace fairsched::server {
namespace {

constexpr size_t kShownBytes = 64;

}  // namespace

absl::StatusOr<FieldSet> ResolveMask(const google::protobuf::FieldMask& mask,
                                     const MaskFields& fields) {
  if (mask.paths().empty()) return fields.populated;
  FieldSet named;
  for (const std::string& path : mask.paths()) {
    if (path == "*") {
      named.insert(fields.allowed.begin(), fields.allowed.end());
    } else if (std::ranges::count(fields.allowed, path) > 0) {
      named.insert(path);
    } else {
      return InvalidField(
          "update_mask",
          absl::StrCat("'", Printable(path, kShownBytes), "' is not one of ",
                       absl::StrJoin(fields.allowed, ", "), ", *"));
    }
  }
  return named;
}

}  // namespace fairsched::server
