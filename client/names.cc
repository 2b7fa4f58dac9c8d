// SPDX-License-Identifier: Apache-2.0
#include "client/names.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace fairsched::client {
namespace {

constexpr absl::string_view kUsers = "users/";
constexpr absl::string_view kGroups = "groups/";
constexpr absl::string_view kRoot = "root";

// "all spent" for END_CAUSE_ALL_SPENT and the prefix END_CAUSE_.
std::string WordOf(absl::string_view value_name, absl::string_view prefix) {
  if (!absl::ConsumePrefix(&value_name, prefix)) return "?";
  return absl::StrReplaceAll(absl::AsciiStrToLower(value_name), {{"_", " "}});
}

}  // namespace

std::string UserName(absl::string_view id_or_name) {
  if (absl::StartsWith(id_or_name, kUsers)) return std::string(id_or_name);
  return absl::StrCat(kUsers, id_or_name);
}

std::string UserId(absl::string_view name) {
  return std::string(absl::StripPrefix(name, kUsers));
}

std::string GroupName(absl::string_view id_or_name) {
  if (id_or_name == kRoot || id_or_name.empty()) return "";
  if (absl::StartsWith(id_or_name, kGroups)) return std::string(id_or_name);
  return absl::StrCat(kGroups, id_or_name);
}

std::string GroupId(absl::string_view name) {
  if (name.empty()) return std::string(kRoot);
  return std::string(absl::StripPrefix(name, kGroups));
}

std::string Word(v1::UserUsage::State state) {
  return WordOf(v1::UserUsage::State_Name(state), "STATE_");
}

std::string Word(v1::UserUsage::NotEnforcedReason reason) {
  return WordOf(v1::UserUsage::NotEnforcedReason_Name(reason),
                "NOT_ENFORCED_REASON_");
}

std::string Word(v1::NodeStatus::Enforcement enforcement) {
  return WordOf(v1::NodeStatus::Enforcement_Name(enforcement), "ENFORCEMENT_");
}

std::string Word(v1::WindowReport::EndCause cause) {
  return WordOf(v1::WindowReport::EndCause_Name(cause), "END_CAUSE_");
}

std::string Word(v1::Mode mode) { return WordOf(v1::Mode_Name(mode), "MODE_"); }

std::string Word(v1::Pacing pacing) {
  return WordOf(v1::Pacing_Name(pacing), "PACING_");
}

Colour ColourOf(v1::UserUsage::State state) {
  switch (state) {
    case v1::UserUsage::STATE_RUNNING:
    case v1::UserUsage::STATE_EXEMPT:
      return Colour::kGreen;
    case v1::UserUsage::STATE_SPENT:
      return Colour::kYellow;
    case v1::UserUsage::STATE_HELD:
    case v1::UserUsage::STATE_LIMITED:
      return Colour::kRed;
    default:
      return Colour::kNone;
  }
}

}  // namespace fairsched::client
