// SPDX-License-Identifier: Apache-2.0
#include "client/rpc_error.h"

#include <string>

#include "client/exit_code.h"
#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "gtest/gtest.h"

namespace fairsched::client {
namespace {

using ::testing::HasSubstr;

constexpr char kAddress[] = "unix:/run/fairsched/api.sock";

std::string MessageOf(const grpc::Status& status) {
  return std::string(RpcError(status, kAddress).message());
}

TEST(RpcErrorTest, AnUnreachableDaemonIsNamedWithWhatToDoNext) {
  const grpc::Status status(grpc::StatusCode::UNAVAILABLE,
                            "connection refused");

  EXPECT_EQ(RpcError(status, kAddress).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(MessageOf(status),
            "can't reach fairschedd at unix:/run/fairsched/api.sock: is it "
            "running? systemctl status fairschedd\n"
            "  cause: connection refused");
}

TEST(RpcErrorTest, ASocketThatMayNotBeOpenedIsAMatterOfPermission) {
  const grpc::Status status(
      grpc::StatusCode::UNAVAILABLE,
      "failed to connect to all addresses; last error: UNKNOWN: "
      "unix:/run/fairsched/api.sock: Permission denied");

  EXPECT_EQ(RpcError(status, kAddress).code(),
            absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(MessageOf(status), HasSubstr("run fairctl as root"));
}

TEST(RpcErrorTest, EveryRefusedFieldIsOnALineOfItsOwn) {
  google::rpc::BadRequest bad_request;
  auto* first = bad_request.add_field_violations();
  first->set_field("user.shares");
  first->set_description("is 0, not in 1..10000");
  auto* second = bad_request.add_field_violations();
  second->set_field("user.name");
  second->set_description("is 'A', not of the form users/{id}");
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  info.set_reason("INVALID_FIELD");
  details.add_details()->PackFrom(info);
  details.add_details()->PackFrom(bad_request);
  const grpc::Status status(grpc::StatusCode::INVALID_ARGUMENT,
                            "2 fields of user are wrong",
                            details.SerializeAsString());

  EXPECT_EQ(MessageOf(status),
            "2 fields of user are wrong\n"
            "  user.shares: is 0, not in 1..10000\n"
            "  user.name: is 'A', not of the form users/{id}");
}

TEST(RpcErrorTest, DetailsThatAreNoneAreLeftOut) {
  const grpc::Status status(grpc::StatusCode::INVALID_ARGUMENT, "wrong",
                            "\xff\xff not a message");

  EXPECT_EQ(MessageOf(status), "wrong");
}

TEST(RpcErrorTest, ADaemonThatNeverAnswersCountsAsUnreachable) {
  const grpc::Status status(grpc::StatusCode::DEADLINE_EXCEEDED,
                            "Deadline Exceeded");

  EXPECT_EQ(RpcError(status, kAddress).code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(MessageOf(status), HasSubstr("--timeout"));
}

TEST(RpcErrorTest, ADaemonThatGivesUpIsQuoted) {
  const grpc::Status status(grpc::StatusCode::DEADLINE_EXCEEDED,
                            "releasing takes longer than 5 s and goes on");

  EXPECT_EQ(RpcError(status, kAddress),
            absl::DeadlineExceededError(
                "releasing takes longer than 5 s and goes on"));
}

TEST(RpcErrorTest, AFieldThatTheMessageNamesIsNotNamedTwice) {
  google::rpc::BadRequest bad_request;
  auto* violation = bad_request.add_field_violations();
  violation->set_field("settings.window");
  violation->set_description("100ms is not in 1s..1m");
  google::rpc::Status details;
  details.add_details()->PackFrom(bad_request);
  const grpc::Status status(grpc::StatusCode::INVALID_ARGUMENT,
                            "settings.window: 100ms is not in 1s..1m",
                            details.SerializeAsString());

  EXPECT_EQ(MessageOf(status), "settings.window: 100ms is not in 1s..1m");
}

TEST(RpcErrorTest, ACallThatTheDaemonDoesNotKnowComesWithAdvice) {
  const grpc::Status status(grpc::StatusCode::UNIMPLEMENTED, "");

  EXPECT_THAT(MessageOf(status), HasSubstr("'fairctl version'"));
}

TEST(RpcErrorTest, SuccessIsNoError) {
  EXPECT_TRUE(RpcError(grpc::Status::OK, kAddress).ok());
}

struct ExitCase {
  grpc::StatusCode code;
  int exit_code;
};

TEST(RpcErrorTest, ExitCodesSayWhichKindOfError) {
  const ExitCase cases[] = {
      {grpc::StatusCode::OK, 0},
      {grpc::StatusCode::INVALID_ARGUMENT, 1},
      {grpc::StatusCode::INTERNAL, 1},
      {grpc::StatusCode::UNIMPLEMENTED, 1},
      {grpc::StatusCode::FAILED_PRECONDITION, 1},
      {grpc::StatusCode::UNAVAILABLE, 4},
      {grpc::StatusCode::PERMISSION_DENIED, 5},
      {grpc::StatusCode::UNAUTHENTICATED, 5},
      {grpc::StatusCode::NOT_FOUND, 6},
      {grpc::StatusCode::ABORTED, 7},
      {grpc::StatusCode::ALREADY_EXISTS, 7},
  };
  for (const ExitCase& c : cases) {
    const absl::Status error =
        c.code == grpc::StatusCode::OK
            ? absl::OkStatus()
            : RpcError(grpc::Status(c.code, "why"), kAddress);

    EXPECT_EQ(static_cast<int>(ExitCodeOf(error)), c.exit_code) << c.code;
  }
}

}  // namespace
}  // namespace fairsched::client
