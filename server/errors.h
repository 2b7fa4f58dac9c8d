// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_ERRORS_H_
#define FAIRSCHED_SERVER_ERRORS_H_

#include <array>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "agent/core/policy.h"
#include "agent/core/validate.h"

// Failures of requests, as statuses that carry the details of the API's error
// model: grpc_status.h puts them on the wire.
namespace fairsched::server {

// Why a request failed: google.rpc.ErrorInfo.reason, of domain "fairsched".
enum class ErrorReason {
  kInvalidField,      // INVALID_FIELD: see google.rpc.BadRequest
  kUserNotFound,      // USER_NOT_FOUND
  kUserExists,        // USER_EXISTS
  kGroupNotFound,     // GROUP_NOT_FOUND
  kGroupExists,       // GROUP_EXISTS
  kGroupNotEmpty,     // GROUP_NOT_EMPTY: it has members
  kTooManyGroups,     // TOO_MANY_GROUPS
  kSelectorTaken,     // SELECTOR_TAKEN: see google.rpc.BadRequest
  kEtagMismatch,      // ETAG_MISMATCH: read again, then retry
  kTooManyUsers,      // TOO_MANY_USERS
  kTooManyWatchers,   // TOO_MANY_WATCHERS
  kOverrideNotFound,  // OVERRIDE_NOT_FOUND
  kTooManyOverrides,  // TOO_MANY_OVERRIDES
  kUserIsExempt,      // USER_IS_EXEMPT: a restriction would do nothing
  kReleaseTimeout,    // RELEASE_TIMEOUT: the release goes on
  kStopping,          // STOPPING: the daemon stops
  kCancelled,         // CANCELLED: by the caller
  kCannotEnforce,     // CANNOT_ENFORCE: this node can only be observed
  kInternal,          // INTERNAL
};
inline constexpr std::array kErrorReasons = {
    ErrorReason::kOverrideNotFound, ErrorReason::kTooManyOverrides,
    ErrorReason::kUserIsExempt,     ErrorReason::kGroupNotFound,
    ErrorReason::kGroupExists,      ErrorReason::kGroupNotEmpty,
    ErrorReason::kTooManyGroups,    ErrorReason::kInvalidField,
    ErrorReason::kUserNotFound,     ErrorReason::kUserExists,
    ErrorReason::kSelectorTaken,    ErrorReason::kEtagMismatch,
    ErrorReason::kTooManyUsers,     ErrorReason::kTooManyWatchers,
    ErrorReason::kReleaseTimeout,   ErrorReason::kStopping,
    ErrorReason::kCancelled,        ErrorReason::kCannotEnforce,
    ErrorReason::kInternal};

// The name on the wire, in UPPER_SNAKE.
absl::string_view ErrorReasonName(ErrorReason reason);

// A failure without fields to blame.
absl::Status Error(absl::StatusCode code, ErrorReason reason,
                   absl::string_view message);

// NOT_FOUND: `id` is neither present nor defined.
absl::Status UserNotFound(const core::UserId& id);
// NOT_FOUND: `id` is not defined.
absl::Status UserNotDefined(const core::UserId& id);
absl::Status GroupNotDefined(const core::GroupId& id);

// ABORTED, unless `wanted` is empty or is `current`: the etag of `name`.
absl::Status CheckEtag(absl::string_view name, absl::string_view wanted,
                       absl::string_view current);

// INVALID_ARGUMENT of fields of the request, at least one. The message repeats
// the first. So many are kept, and each so long, that the answer stays below
// gRPC's bound on metadata.
absl::Status InvalidFields(const core::Violations& violations);
absl::Status InvalidField(absl::string_view field, absl::string_view problem);

// Adds what is wrong with free text: more than 256 bytes, or not UTF-8, or
// control characters.
void AddTextProblem(absl::string_view field, absl::string_view text,
                    core::Violations& violations);

// ALREADY_EXISTS, for the same reason: selectors that other users have.
absl::Status TakenSelectors(const core::Violations& violations);

// The same violations of a part of the request: "shares" -> "user.shares".
core::Violations Within(absl::string_view field, core::Violations violations);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_ERRORS_H_
