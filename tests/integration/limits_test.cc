// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "gtest/gtest.h"
#include "tests/integration/api_fixture.h"

// Limits and groups, through the API.
namespace fairsched::server {
namespace {

using Stub = v1::PolicyService::Stub;

class LimitsTest : public ApiFixture {
 protected:
  v1::UpdateUserRequest UpdateOf(const std::string& path) {
    v1::UpdateUserRequest request;
    request.mutable_user()->set_name("users/alice");
    request.mutable_update_mask()->add_paths(path);
    return request;
  }
  v1::User Update(const v1::UpdateUserRequest& request) {
    v1::User user;
    const grpc::Status status = Call(policy_, &Stub::UpdateUser, request, user);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return user;
  }
  Failure Refused(const v1::UpdateUserRequest& request) {
    return Fail(policy_, &Stub::UpdateUser, request);
  }
  v1::CreateGroupRequest GroupOf(const std::string& id,
                                 const std::string& parent = "") {
    v1::CreateGroupRequest request;
    request.set_group_id(id);
    request.mutable_group()->set_parent(parent);
    return request;
  }
  void MustCreateGroup(const std::string& id, const std::string& parent = "") {
    v1::Group group;
    const grpc::Status status =
        Call(policy_, &Stub::CreateGroup, GroupOf(id, parent), group);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
};

TEST_F(LimitsTest, ALimitIsReadBackAndHolds) {
  node_.Set("alice", {.cpus = 1});
  MustCreate("alice", 1001);
  v1::UpdateUserRequest request = UpdateOf("limit");
  v1::Limit& limit = *request.mutable_user()->mutable_limit();
  limit.set_millicpus(400);
  limit.mutable_burst()->set_nanos(20'000'000);
  limit.mutable_steal()->mutable_per_second()->set_nanos(100'000'000);

  const v1::User user = Update(request);

  EXPECT_EQ(user.limit().SerializeAsString(), limit.SerializeAsString());
  Tick();
  Tick();
  const core::UserDecision& alice = loop_.Latest()->decision.users.at(0);
  EXPECT_EQ(alice.limit_cpus, 0.4);
  EXPECT_EQ(alice.steal_cpus, 0.1);
}

TEST_F(LimitsTest, StealAndBurstAloneLeaveTheRest) {
  MustCreate("alice", 1001);
  v1::UpdateUserRequest request = UpdateOf("limit");
  request.mutable_user()->mutable_limit()->set_millicpus(400);
  Update(request);
  request = UpdateOf("limit.steal");
  request.mutable_user()->mutable_limit()->mutable_steal()->mutable_unlimited();
  Update(request);
  request = UpdateOf("limit.burst");
  request.set_allow_missing(true);
  request.mutable_user()->mutable_limit()->mutable_burst()->set_nanos(
      1'000'000);

  const v1::User user = Update(request);

  EXPECT_EQ(user.limit().millicpus(), 400);
  EXPECT_TRUE(user.limit().steal().has_unlimited());
  EXPECT_EQ(user.limit().burst().nanos(), 1'000'000);
  EXPECT_FALSE(Update(UpdateOf("limit")).has_limit());
}

TEST_F(LimitsTest, MoreThanTheNodeHasIsAllowed) {
  MustCreate("alice", 1001);
  v1::UpdateUserRequest request = UpdateOf("limit");
  request.mutable_user()->mutable_limit()->set_millicpus(9'000'000);
  EXPECT_EQ(Update(request).limit().millicpus(), 9'000'000);
}

TEST_F(LimitsTest, WrongLimitsAreRefusedByField) {
  MustCreate("alice", 1001);
  const auto before = store_.Read();
  for (const int64_t millicpus : {0, 9, -5, 10'000'001}) {
    v1::UpdateUserRequest request = UpdateOf("limit");
    request.mutable_user()->mutable_limit()->set_millicpus(millicpus);
    EXPECT_EQ(Refused(request), BadField("user.limit.millicpus"));
  }
  v1::UpdateUserRequest request = UpdateOf("limit");
  request.mutable_user()->mutable_limit();
  EXPECT_EQ(Refused(request), BadField("user.limit"));
  request.mutable_user()->mutable_limit()->mutable_none();
  request.mutable_user()->mutable_limit()->mutable_steal()->mutable_unlimited();
  EXPECT_EQ(Refused(request), BadField("user.limit.steal"));
  request.mutable_user()->mutable_limit()->mutable_entitlement();
  request.mutable_user()->mutable_limit()->mutable_steal()->Clear();
  EXPECT_EQ(Refused(request), BadField("user.limit.steal"));
  request = UpdateOf("limit.steal");
  request.mutable_user()->mutable_limit()->mutable_steal()->mutable_unlimited();
  EXPECT_EQ(Refused(request), BadField("user.limit.steal"));
  request = UpdateOf("nice");
  request.mutable_user()->set_nice(20);
  EXPECT_EQ(Refused(request), BadField("user.nice"));
  EXPECT_EQ(store_.Read(), before);
}

TEST_F(LimitsTest, AGroupIsMadeUsedAndTakenAway) {
  MustCreateGroup("staff");
  MustCreate("alice", 1001);
  v1::UpdateUserRequest request = UpdateOf("group");
  request.mutable_user()->set_group("groups/staff");
  EXPECT_EQ(Update(request).group(), "groups/staff");
  node_.Set("alice", {.cpus = 1});
  Tick();
  Tick();
  v1::ListGroupUsageResponse usage;
  ASSERT_TRUE(Call(usage_, &v1::UsageService::Stub::ListGroupUsage,
                   v1::ListGroupUsageRequest(), usage)
                  .ok());
  ASSERT_EQ(usage.groups_size(), 1);
  EXPECT_EQ(usage.groups(0).group(), "groups/staff");
  EXPECT_EQ(usage.groups(0).member_count(), 1);

  v1::DeleteGroupRequest remove;
  remove.set_name("groups/staff");
  EXPECT_EQ(
      Fail(policy_, &Stub::DeleteGroup, remove),
      (Failure{grpc::StatusCode::FAILED_PRECONDITION, "GROUP_NOT_EMPTY", ""}));
  Update(UpdateOf("group"));
  google::protobuf::Empty empty;
  EXPECT_TRUE(Call(policy_, &Stub::DeleteGroup, remove, empty).ok());
  EXPECT_EQ(Fail(policy_, &Stub::DeleteGroup, remove),
            (Failure{grpc::StatusCode::NOT_FOUND, "GROUP_NOT_FOUND", ""}));
}

TEST_F(LimitsTest, AGroupThatHoldsAGroupIsNotTakenAway) {
  MustCreateGroup("outer");
  MustCreateGroup("inner", "groups/outer");
  v1::DeleteGroupRequest remove;
  remove.set_name("groups/outer");
  const auto before = store_.Read();
  EXPECT_EQ(
      Fail(policy_, &Stub::DeleteGroup, remove),
      (Failure{grpc::StatusCode::FAILED_PRECONDITION, "GROUP_NOT_EMPTY", ""}));
  EXPECT_EQ(store_.Read(), before);
}

TEST_F(LimitsTest, WrongGroupsAreRefusedByField) {
  MustCreateGroup("a");
  MustCreateGroup("b", "groups/a");
  EXPECT_EQ(Fail(policy_, &Stub::CreateGroup, GroupOf("a")),
            (Failure{grpc::StatusCode::ALREADY_EXISTS, "GROUP_EXISTS", ""}));
  EXPECT_EQ(Fail(policy_, &Stub::CreateGroup, GroupOf("root")),
            BadField("group.name"));
  EXPECT_EQ(Fail(policy_, &Stub::CreateGroup, GroupOf("X")),
            BadField("group_id"));
  EXPECT_EQ(Fail(policy_, &Stub::CreateGroup, GroupOf("c", "groups/z")),
            BadField("group.parent"));
  EXPECT_EQ(Fail(policy_, &Stub::CreateGroup, GroupOf("c", "a")),
            BadField("group.parent"));
  v1::UpdateGroupRequest cycle;
  cycle.mutable_group()->set_name("groups/a");
  cycle.mutable_group()->set_parent("groups/b");
  EXPECT_EQ(Fail(policy_, &Stub::UpdateGroup, cycle), BadField("group.parent"));
  std::string parent = "groups/b";
  for (int depth = 3; depth <= 8; ++depth) {
    const std::string id = "d" + std::to_string(depth);
    MustCreateGroup(id, parent);
    parent = "groups/" + id;
  }
  EXPECT_EQ(Fail(policy_, &Stub::CreateGroup, GroupOf("deep", parent)),
            BadField("group.parent"));
  MustCreate("alice", 1001);
  v1::UpdateUserRequest request = UpdateOf("group");
  request.mutable_user()->set_group("groups/z");
  EXPECT_EQ(Refused(request), BadField("user.group"));
}

TEST_F(LimitsTest, AUserThatExpandsIsReadBackAndItsPartsHaveItsTerms) {
  MustCreate("alice", 1001);
  v1::UpdateUserRequest request = UpdateOf("expand");
  request.mutable_user()->set_expand(true);
  EXPECT_TRUE(Update(request).expand());
  request = UpdateOf("shares");
  request.mutable_user()->set_shares(300);
  EXPECT_TRUE(Update(request).expand());
  const core::UserId part = *store_.Read()->policy->UserOfUid(1001);
  EXPECT_NE(part, "alice");
  node_.Set(part, {.cpus = 1});
  Tick(2);
  const core::UserDecision& user = loop_.Latest()->decision.users.at(0);
  EXPECT_EQ(user.id, part);
  EXPECT_EQ(user.shares, 300);
}

TEST_F(LimitsTest, SettingsHaveDefaultsForLimitsAndWindows) {
  v1::UpdateSettingsRequest request;
  v1::Settings& wanted = *request.mutable_settings();
  wanted.mutable_auto_window()->mutable_max()->set_seconds(5);
  wanted.mutable_interval()->set_nanos(20'000'000);
  wanted.mutable_default_limit()->set_millicpus(500);
  wanted.mutable_default_steal()->mutable_unlimited();
  v1::Settings settings;
  ASSERT_TRUE(Call(policy_, &Stub::UpdateSettings, request, settings).ok());
  EXPECT_EQ(settings.auto_window().min().seconds(), 1);
  EXPECT_EQ(settings.auto_window().max().seconds(), 5);
  EXPECT_EQ(settings.interval().nanos(), 20'000'000);
  node_.Set("uid-1005", {.cpus = 1});
  Tick();
  Tick();
  const core::UserDecision& user = loop_.Latest()->decision.users.at(0);
  EXPECT_EQ(user.limit_cpus, 0.5);
  EXPECT_GT(user.steal_cpus, 1e9);

  wanted.mutable_interval()->set_seconds(4);
  EXPECT_TRUE(Call(policy_, &Stub::UpdateSettings, request, settings).ok());
  wanted.mutable_interval()->set_seconds(6);
  EXPECT_EQ(Fail(policy_, &Stub::UpdateSettings, request),
            BadField("settings.interval"));
}

}  // namespace
}  // namespace fairsched::server
