// SPDX-License-Identifier: Apache-2.0
#include "server/grpc_status.h"

#include <set>
#include <string>

#include "absl/strings/ascii.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/support/error_details.h"
#include "gtest/gtest.h"
#include "server/errors.h"

namespace fairsched::server {
namespace {

google::rpc::Status Details(const grpc::Status& status) {
  google::rpc::Status details;
  EXPECT_TRUE(grpc::ExtractErrorDetails(status, &details).ok());
  return details;
}

template <typename Detail>
Detail Find(const grpc::Status& status) {
  Detail found;
  const google::rpc::Status details = Details(status);
  for (const auto& detail : details.details()) {
    if (detail.Is<Detail>()) detail.UnpackTo(&found);
  }
  return found;
}

TEST(GrpcStatusTest, OkStaysOk) { EXPECT_TRUE(ToGrpc(absl::OkStatus()).ok()); }

TEST(GrpcStatusTest, ViolationsNameFieldAndProblemAndTheFirstIsTheMessage) {
  const grpc::Status status =
      ToGrpc(InvalidFields({{"shares", "0 is not in 1..10000"},
                            {"selectors[0].uid", "-1 is not in 0..9"}}));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(status.error_message(), "shares: 0 is not in 1..10000");
  const auto bad = Find<google::rpc::BadRequest>(status);
  ASSERT_EQ(bad.field_violations_size(), 2);
  EXPECT_EQ(bad.field_violations(1).field(), "selectors[0].uid");
  EXPECT_EQ(bad.field_violations(1).description(), "-1 is not in 0..9");
  EXPECT_EQ(Find<google::rpc::ErrorInfo>(status).reason(), "INVALID_FIELD");
  EXPECT_EQ(Find<google::rpc::ErrorInfo>(status).domain(), "fairsched");
}

TEST(GrpcStatusTest, AFailureWithoutAReasonIsInternalButKeepsItsCode) {
  const grpc::Status status = ToGrpc(absl::UnavailableError("no disk"));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(status.error_message(), "no disk");
  EXPECT_EQ(Find<google::rpc::ErrorInfo>(status).reason(), "INTERNAL");
}

TEST(GrpcStatusTest, ManyLongViolationsStayBelowGrpcsBoundOnMetadata) {
  core::Violations violations;
  for (int i = 0; i < 1000; ++i) {
    violations.push_back({std::string(500, 'f'), std::string(5000, '\n')});
  }
  const grpc::Status status = ToGrpc(InvalidFields(violations));
  EXPECT_LT(status.error_message().size() + status.error_details().size(),
            6u << 10);
}

TEST(ErrorsTest, EveryReasonHasANameOfItsOwnInUpperSnake) {
  std::set<std::string> names;
  for (const ErrorReason reason : kErrorReasons) {
    const std::string name(ErrorReasonName(reason));
    EXPECT_TRUE(names.insert(name).second) << name;
    for (const char c : name) {
      EXPECT_TRUE(c == '_' ||
                  absl::ascii_isupper(static_cast<unsigned char>(c)))
          << name;
    }
  }
}

}  // namespace
}  // namespace fairsched::server
