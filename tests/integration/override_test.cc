// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/api_fixture.h"

// Overrides, through the API.
namespace fairsched::server {
namespace {

using ::testing::Contains;

using Stub = v1::PolicyService::Stub;

constexpr int64_t kDay = 24 * 3600;

class OverrideTest : public ApiFixture {
 protected:
  static v1::SetOverrideRequest RequestOf(
      const std::string& id, std::optional<int64_t> ttl_seconds = 3600) {
    v1::SetOverrideRequest request;
    request.mutable_override()->set_name("users/" + id + "/override");
    if (ttl_seconds.has_value())
      request.mutable_override()->mutable_ttl()->set_seconds(*ttl_seconds);
    return request;
  }
  static v1::SetOverrideRequest RestrictionOf(
      const std::string& id, std::optional<int64_t> ttl_seconds = 3600) {
    v1::SetOverrideRequest request = RequestOf(id, ttl_seconds);
    request.mutable_override()->mutable_restriction();
    return request;
  }
  v1::Override MustSet(const v1::SetOverrideRequest& request) {
    v1::Override override;
    const grpc::Status status =
        Call(policy_, &Stub::SetOverride, request, override);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return override;
  }
  Failure Refused(const v1::SetOverrideRequest& request) {
    return Fail(policy_, &Stub::SetOverride, request);
  }
  int64_t Now() const { return absl::ToUnixSeconds(clock_.WallTime()); }
};

TEST_F(OverrideTest, ARestrictionHoldsInTheNextTickAndIsShownEverywhere) {
  node_.Set("uid-1001", {.cpus = 1});
  v1::SetOverrideRequest request = RestrictionOf("uid-1001");
  request.mutable_override()->set_why("a runaway build");

  const v1::Override set = MustSet(request);

  EXPECT_EQ(set.name(), "users/uid-1001/override");
  EXPECT_EQ(set.restriction().millicpus(), 500);
  EXPECT_EQ(set.expire_time().seconds(), Now() + 3600);
  EXPECT_EQ(set.create_time().seconds(), Now());
  EXPECT_EQ(set.why(), "a runaway build");
  Tick(2);
  EXPECT_EQ(loop_.Latest()->decision.users.at(0).limit_cpus, 0.5);

  v1::GetUserUsageRequest get_usage;
  get_usage.set_name("users/uid-1001");
  v1::UserUsage usage;
  ASSERT_TRUE(
      Call(usage_, &v1::UsageService::Stub::GetUserUsage, get_usage, usage)
          .ok());
  EXPECT_EQ(usage.override().SerializeAsString(), set.SerializeAsString());
  EXPECT_EQ(usage.limit_cpus(), 0.5);

  v1::NodeStatus status;
  ASSERT_TRUE(Call(node_stub_, &v1::NodeService::Stub::GetStatus,
                   v1::GetStatusRequest(), status)
                  .ok());
  EXPECT_EQ(status.override_count(), 1);

  v1::ExplainUserRequest explain;
  explain.set_name("users/uid-1001");
  v1::ExplainUserResponse explanation;
  ASSERT_TRUE(Call(node_stub_, &v1::NodeService::Stub::ExplainUser, explain,
                   explanation)
                  .ok());
  EXPECT_THAT(explanation.lines(),
              Contains("It is restricted to 0.50 CPUs for another 59m59s: a "
                       "runaway build."));
}

TEST_F(OverrideTest, ABoostAndAnExemptionHold) {
  MustCreate("alice", 1001);
  node_.Set("alice", {.cpus = 1});
  v1::SetOverrideRequest request = RequestOf("alice");
  request.mutable_override()->mutable_boost();
  EXPECT_EQ(MustSet(request).boost().factor(), 4);
  Tick(2);
  EXPECT_EQ(loop_.Latest()->decision.users.at(0).shares, 400);

  request.mutable_override()->mutable_exempt();
  EXPECT_TRUE(MustSet(request).has_exempt());
  Tick();
  EXPECT_EQ(loop_.Latest()->decision.users.at(0).state,
            core::UserState::kExempt);
}

TEST_F(OverrideTest, AnExpireTimeIsTakenAsItIs) {
  v1::SetOverrideRequest request = RestrictionOf("uid-1001", std::nullopt);
  request.mutable_override()->mutable_expire_time()->set_seconds(Now() + 5);
  EXPECT_EQ(MustSet(request).expire_time().seconds(), Now() + 5);
}

TEST_F(OverrideTest, AnExpirationInThePastOrBeyond30DaysIsRefused) {
  for (const int64_t ttl :
       {int64_t{0}, int64_t{-1}, 30 * kDay + 1, int64_t{1'000'000'000'000}}) {
    EXPECT_EQ(Refused(RestrictionOf("uid-1001", ttl)), BadField("override.ttl"))
        << ttl;
  }
  for (const int64_t time :
       {int64_t{0}, Now() - 1, Now(), Now() + 30 * kDay + 1,
        int64_t{1'000'000'000'000}}) {
    v1::SetOverrideRequest request = RestrictionOf("uid-1001", std::nullopt);
    request.mutable_override()->mutable_expire_time()->set_seconds(time);
    EXPECT_EQ(Refused(request), BadField("override.expire_time")) << time;
  }
  EXPECT_EQ(Refused(RestrictionOf("uid-1001", std::nullopt)),
            BadField("override.expire_time"));
  EXPECT_EQ(store_.Read()->revision, 1u);
  MustSet(RestrictionOf("uid-1001", 30 * kDay));
}

TEST_F(OverrideTest, OtherBadFieldsAreBlamedAndChangeNothing) {
  EXPECT_EQ(Refused(RequestOf("uid-1001")), BadField("override"));
  v1::SetOverrideRequest request = RestrictionOf("uid-1001");
  request.mutable_override()->mutable_restriction()->set_millicpus(9);
  EXPECT_EQ(Refused(request), BadField("override.restriction.millicpus"));
  for (const int32_t factor : {1, 101}) {
    request.mutable_override()->mutable_boost()->set_factor(factor);
    EXPECT_EQ(Refused(request), BadField("override.boost.factor"));
  }
  for (const std::string& why : {std::string(257, 'x'), std::string("a\nb")}) {
    request = RestrictionOf("uid-1001");
    request.mutable_override()->set_why(why);
    EXPECT_EQ(Refused(request), BadField("override.why"));
  }
  for (const char* name : {"", "users/uid-1001", "users//override",
                           "groups/staff/override", "users/A/override"}) {
    request.mutable_override()->set_name(name);
    EXPECT_EQ(Refused(request), BadField("override.name")) << name;
  }
  EXPECT_EQ(store_.Read()->revision, 1u);
}

TEST_F(OverrideTest, WhoIsNoUserHasNone) {
  EXPECT_EQ(Refused(RestrictionOf("nobody")),
            (Failure{grpc::StatusCode::NOT_FOUND, "USER_NOT_FOUND", ""}));
  EXPECT_EQ(
      Refused(RestrictionOf("uid-0")),
      (Failure{grpc::StatusCode::FAILED_PRECONDITION, "USER_IS_EXEMPT", ""}));
  v1::GetOverrideRequest get;
  get.set_name("users/uid-1001/override");
  EXPECT_EQ(Fail(policy_, &Stub::GetOverride, get),
            (Failure{grpc::StatusCode::NOT_FOUND, "OVERRIDE_NOT_FOUND", ""}));
  v1::ClearOverrideRequest clear;
  clear.set_name("users/uid-1001/override");
  EXPECT_EQ(Fail(policy_, &Stub::ClearOverride, clear),
            (Failure{grpc::StatusCode::NOT_FOUND, "OVERRIDE_NOT_FOUND", ""}));
}

TEST_F(OverrideTest, ValidateOnlyAnswersAndSetsNothing) {
  v1::SetOverrideRequest request = RestrictionOf("uid-1001");
  request.set_validate_only(true);
  EXPECT_EQ(MustSet(request).restriction().millicpus(), 500);
  EXPECT_EQ(store_.Read()->revision, 1u);
}

TEST_F(OverrideTest, TheyAreListedByPagesAndCleared) {
  for (const char* id : {"uid-1001", "uid-1002", "uid-1003"})
    MustSet(RestrictionOf(id));
  v1::ListOverridesRequest request;
  request.set_page_size(2);
  v1::ListOverridesResponse page;
  ASSERT_TRUE(Call(policy_, &Stub::ListOverrides, request, page).ok());
  ASSERT_EQ(page.overrides_size(), 2);
  request.set_page_token(page.next_page_token());
  page.Clear();
  ASSERT_TRUE(Call(policy_, &Stub::ListOverrides, request, page).ok());
  ASSERT_EQ(page.overrides_size(), 1);
  EXPECT_EQ(page.overrides(0).name(), "users/uid-1003/override");
  EXPECT_EQ(page.next_page_token(), "");

  v1::ClearOverrideRequest clear;
  clear.set_name("users/uid-1003/override");
  google::protobuf::Empty empty;
  ASSERT_TRUE(Call(policy_, &Stub::ClearOverride, clear, empty).ok());
  v1::GetOverrideRequest get;
  get.set_name("users/uid-1002/override");
  v1::Override override;
  EXPECT_TRUE(Call(policy_, &Stub::GetOverride, get, override).ok());
  get.set_name("users/uid-1003/override");
  EXPECT_EQ(Fail(policy_, &Stub::GetOverride, get).code,
            grpc::StatusCode::NOT_FOUND);
}

}  // namespace
}  // namespace fairsched::server
