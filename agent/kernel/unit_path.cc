// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/unit_path.h"

#include <cstddef>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace fairsched::kernel {
namespace {

// N of PREFIX N SUFFIX, N being a uid as systemd writes it.
std::optional<int64_t> UidBetween(absl::string_view prefix,
                                  absl::string_view name,
                                  absl::string_view suffix) {
  uint32_t uid = 0;
  if (!absl::ConsumePrefix(&name, prefix) ||
      !absl::ConsumeSuffix(&name, suffix) || !absl::SimpleAtoi(name, &uid) ||
      name != absl::StrCat(uid)) {
    return std::nullopt;
  }
  return int64_t{uid};
}

std::string PathOfSlice(absl::string_view name) {
  std::string path;
  for (size_t dash = name.find('-'); dash != absl::string_view::npos;
       dash = name.find('-', dash + 1)) {
    absl::StrAppend(&path, "/", name.substr(0, dash), ".slice");
  }
  return absl::StrCat(path, "/", name, ".slice");
}

}  // namespace

std::optional<int64_t> UidOfUserSlice(absl::string_view name) {
  return UidBetween("user-", name, ".slice");
}

std::optional<std::string> PathOfUnit(absl::string_view unit) {
  if (const auto uid = UidBetween("user@", unit, ".service"); uid.has_value())
    return absl::StrCat(kUserSlice, "/user-", *uid, ".slice/", unit);
  if (!absl::ConsumeSuffix(&unit, ".slice")) return std::nullopt;
  return PathOfSlice(unit);
}

}  // namespace fairsched::kernel
