// SPDX-License-Identifier: Apache-2.0
#include "client/rpc_error.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace fairsched::client {
namespace {

// The refused fields, one a line, from the details that a server of ours sends;
// without those that the message names already.
std::string Violations(const grpc::Status& status) {
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) return "";
  std::string lines;
  for (const google::protobuf::Any& any : details.details()) {
    google::rpc::BadRequest bad_request;
    if (!any.UnpackTo(&bad_request)) continue;
    for (const auto& violation : bad_request.field_violations()) {
      const std::string line =
          absl::StrCat(violation.field(), ": ", violation.description());
      if (absl::StrContains(status.error_message(), line)) continue;
      absl::StrAppend(&lines, "\n  ", line);
    }
  }
  return lines;
}

absl::Status Unavailable(const grpc::Status& status,
                         const std::string& address) {
  // gRPC reports a socket that it may not open as one that is not there.
  if (absl::StrContains(status.error_message(), "Permission denied")) {
    return absl::PermissionDeniedError(
        absl::StrCat("may not open ", address,
                     ": the socket is root's, so run fairctl as root"));
  }
  return absl::UnavailableError(
      absl::StrCat("can't reach fairschedd at ", address,
                   ": is it running? systemctl status fairschedd\n  cause: ",
                   status.error_message()));
}

// What to do next. Empty: the daemon's message says it all.
std::string Advice(grpc::StatusCode code) {
  if (code != grpc::StatusCode::UNIMPLEMENTED) return "";
  return "\n  The daemon does not know this call: compare the versions with "
         "'fairctl version'.";
}

}  // namespace

absl::Status RpcError(const grpc::Status& status, const std::string& address) {
  const grpc::StatusCode code = status.error_code();
  if (status.ok()) return absl::OkStatus();
  if (code == grpc::StatusCode::UNAVAILABLE) {
    return Unavailable(status, address);
  }
  // With this text it is the client's own clock that ran out; a daemon that
  // gives up says what on.
  if (code == grpc::StatusCode::DEADLINE_EXCEEDED &&
      status.error_message() == "Deadline Exceeded") {
    return absl::UnavailableError(
        absl::StrCat("no answer in time from fairschedd at ", address,
                     ": it is stuck or overloaded; try a longer --timeout"));
  }
  // gRPC and absl number the canonical codes alike.
  return absl::Status(
      static_cast<absl::StatusCode>(code),
      absl::StrCat(status.error_message(), Violations(status), Advice(code)));
}

}  // namespace fairsched::client
