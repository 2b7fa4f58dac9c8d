// SPDX-License-Identifier: Apache-2.0
#include "client/pages.h"

#include <utility>

#include "agent/core/status_macros.h"

namespace fairsched::client {
namespace {

// The most that the daemon returns at once.
constexpr int kPageSize = 1000;

// `method` is a list method whose answer has `users` and `next_page_token`.
template <typename Stub, typename Request, typename Response>
absl::StatusOr<Response> ListAll(
    Connection& connection, Stub& stub,
    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                 Response*)) {
  Request request;
  request.set_page_size(kPageSize);
  Response all;
  do {
    ASSIGN_OR_RETURN(Response page, connection.Call(stub, method, request));
    request.set_page_token(page.next_page_token());
    all.mutable_users()->MergeFrom(page.users());
    page.mutable_users()->Swap(all.mutable_users());
    all = std::move(page);
  } while (!request.page_token().empty());
  return all;
}

}  // namespace

absl::StatusOr<v1::ListUsersResponse> ListAllUsers(Connection& connection) {
  return ListAll(connection, connection.policy(),
                 &v1::PolicyService::Stub::ListUsers);
}

absl::StatusOr<v1::ListUserUsageResponse> ListAllUsage(Connection& connection) {
  return ListAll(connection, connection.usage(),
                 &v1::UsageService::Stub::ListUserUsage);
}

}  // namespace fairsched::client
