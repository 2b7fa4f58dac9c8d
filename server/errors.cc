// SPDX-License-Identifier: Apache-2.0
#include "server/errors.h"

#include <string>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "google/rpc/error_details.pb.h"
#include "server/resource_name.h"
#include "server/text.h"

namespace fairsched::server {
namespace {

// gRPC takes 8 KiB of metadata, and the message travels twice.
constexpr int kMaxViolations = 12;
constexpr size_t kMaxFieldBytes = 64;
constexpr size_t kMaxProblemBytes = 240;
constexpr size_t kMaxMessageBytes = 512;
constexpr size_t kMaxTextBytes = 256;

template <typename Detail>
void Attach(const Detail& detail, absl::Status& status) {
  status.SetPayload(
      absl::StrCat("type.googleapis.com/", Detail::descriptor()->full_name()),
      absl::Cord(detail.SerializeAsString()));
}

absl::Status Blame(absl::StatusCode code, ErrorReason reason,
                   const core::Violations& violations) {
  google::rpc::BadRequest bad;
  for (const core::Violation& violation : violations) {
    if (bad.field_violations_size() == kMaxViolations) break;
    auto* one = bad.add_field_violations();
    one->set_field(Printable(violation.field, kMaxFieldBytes));
    one->set_description(Printable(violation.problem, kMaxProblemBytes));
  }
  const auto& first = bad.field_violations(0);
  absl::Status status = Error(
      code, reason, absl::StrCat(first.field(), ": ", first.description()));
  Attach(bad, status);
  return status;
}

}  // namespace

absl::string_view ErrorReasonName(ErrorReason reason) {
  switch (reason) {
    case ErrorReason::kInvalidField:
      return "INVALID_FIELD";
    case ErrorReason::kUserNotFound:
      return "USER_NOT_FOUND";
    case ErrorReason::kUserExists:
      return "USER_EXISTS";
    case ErrorReason::kGroupNotFound:
      return "GROUP_NOT_FOUND";
    case ErrorReason::kGroupExists:
      return "GROUP_EXISTS";
    case ErrorReason::kGroupNotEmpty:
      return "GROUP_NOT_EMPTY";
    case ErrorReason::kTooManyGroups:
      return "TOO_MANY_GROUPS";
    case ErrorReason::kSelectorTaken:
      return "SELECTOR_TAKEN";
    case ErrorReason::kEtagMismatch:
      return "ETAG_MISMATCH";
    case ErrorReason::kTooManyUsers:
      return "TOO_MANY_USERS";
    case ErrorReason::kTooManyWatchers:
      return "TOO_MANY_WATCHERS";
    case ErrorReason::kOverrideNotFound:
      return "OVERRIDE_NOT_FOUND";
    case ErrorReason::kTooManyOverrides:
      return "TOO_MANY_OVERRIDES";
    case ErrorReason::kUserIsExempt:
      return "USER_IS_EXEMPT";
    case ErrorReason::kReleaseTimeout:
      return "RELEASE_TIMEOUT";
    case ErrorReason::kStopping:
      return "STOPPING";
    case ErrorReason::kCancelled:
      return "CANCELLED";
    case ErrorReason::kCannotEnforce:
      return "CANNOT_ENFORCE";
    case ErrorReason::kInternal:
      break;
  }
  return "INTERNAL";
}

absl::Status Error(absl::StatusCode code, ErrorReason reason,
                   absl::string_view message) {
  absl::Status status(code, Printable(message, kMaxMessageBytes));
  google::rpc::ErrorInfo info;
  info.set_reason(std::string(ErrorReasonName(reason)));
  info.set_domain("fairsched");
  Attach(info, status);
  return status;
}

absl::Status UserNotFound(const core::UserId& id) {
  return Error(absl::StatusCode::kNotFound, ErrorReason::kUserNotFound,
               absl::StrCat(UserName(id), " is neither present nor defined"));
}

absl::Status UserNotDefined(const core::UserId& id) {
  return Error(absl::StatusCode::kNotFound, ErrorReason::kUserNotFound,
               absl::StrCat(UserName(id), " is not defined"));
}

absl::Status GroupNotDefined(const core::GroupId& id) {
  return Error(absl::StatusCode::kNotFound, ErrorReason::kGroupNotFound,
               absl::StrCat(GroupName(id), " is not defined"));
}

absl::Status CheckEtag(absl::string_view name, absl::string_view wanted,
                       absl::string_view current) {
  if (wanted.empty() || wanted == current) return absl::OkStatus();
  return Error(absl::StatusCode::kAborted, ErrorReason::kEtagMismatch,
               absl::StrCat(name, " has changed: its etag is ", current,
                            ", not ", wanted, "; read it again"));
}

absl::Status InvalidFields(const core::Violations& violations) {
  return Blame(absl::StatusCode::kInvalidArgument, ErrorReason::kInvalidField,
               violations);
}

absl::Status InvalidField(absl::string_view field, absl::string_view problem) {
  return InvalidFields(
      {{.field = std::string(field), .problem = std::string(problem)}});
}

void AddTextProblem(absl::string_view field, absl::string_view text,
                    core::Violations& violations) {
  if (text.size() > kMaxTextBytes) {
    violations.push_back(
        {.field = std::string(field),
         .problem =
             absl::StrCat(text.size(), " bytes, more than ", kMaxTextBytes)});
  } else if (!IsPlainText(text)) {
    violations.push_back(
        {.field = std::string(field),
         .problem = absl::StrCat("'", Printable(text, kMaxTextBytes),
                                 "' is not UTF-8 without control characters")});
  }
}

absl::Status TakenSelectors(const core::Violations& violations) {
  return Blame(absl::StatusCode::kAlreadyExists, ErrorReason::kSelectorTaken,
               violations);
}

core::Violations Within(absl::string_view field, core::Violations violations) {
  for (core::Violation& violation : violations) {
    violation.field = absl::StrCat(field, ".", violation.field);
  }
  return violations;
}

}  // namespace fairsched::server
