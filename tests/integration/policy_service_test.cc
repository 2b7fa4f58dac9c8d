// SPDX-License-Identifier: Apache-2.0
#include "server/policy_service.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/integration/api_fixture.h"

namespace fairsched::server {
namespace {

using Stub = v1::PolicyService::Stub;

class PolicyServiceTest : public ApiFixture {
 protected:
  v1::User Get(const std::string& name) {
    v1::GetUserRequest request;
    request.set_name(name);
    v1::User user;
    const grpc::Status status = Call(policy_, &Stub::GetUser, request, user);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return user;
  }
  v1::Settings GetSettings() {
    v1::GetSettingsRequest request;
    request.set_name("settings");
    v1::Settings settings;
    EXPECT_TRUE(Call(policy_, &Stub::GetSettings, request, settings).ok());
    return settings;
  }
  v1::UpdateUserRequest UpdateOf(const std::string& name) {
    v1::UpdateUserRequest request;
    request.mutable_user()->set_name(name);
    return request;
  }
};

TEST_F(PolicyServiceTest, ACreatedUserIsReadBackAsItWasMade) {
  v1::CreateUserRequest request;
  request.set_user_id("alice");
  request.mutable_user()->set_display_name("Alice, Büro 3");
  request.mutable_user()->add_selectors()->set_uid(1001);
  request.mutable_user()->add_selectors()->set_uid(1002);
  request.mutable_user()->set_shares(200);
  v1::User made;
  ASSERT_TRUE(Call(policy_, &Stub::CreateUser, request, made).ok());

  EXPECT_EQ(made.name(), "users/alice");
  EXPECT_EQ(made.display_name(), "Alice, Büro 3");
  ASSERT_EQ(made.selectors_size(), 2);
  EXPECT_EQ(made.selectors(1).uid(), 1002);
  EXPECT_EQ(made.shares(), 200);
  EXPECT_EQ(made.source(), v1::User::SOURCE_API);
  EXPECT_FALSE(made.etag().empty());
  EXPECT_EQ(made.create_time().seconds(), 1'700'001'000);
  EXPECT_EQ(Get("users/alice").SerializeAsString(), made.SerializeAsString());
}

TEST_F(PolicyServiceTest, AChangeHoldsFromTheNextTickOn) {
  node_.Set("alice", {.cpus = 1});
  MustCreate("alice", 1001);
  v1::UpdateUserRequest request = UpdateOf("users/alice");
  request.mutable_user()->set_shares(300);
  v1::User user;
  ASSERT_TRUE(Call(policy_, &Stub::UpdateUser, request, user).ok());

  Tick();
  ASSERT_EQ(loop_.Latest()->decision.users.size(), 1u);
  EXPECT_EQ(loop_.Latest()->decision.users[0].shares, 300);
}

TEST_F(PolicyServiceTest, AMaskChangesOnlyWhatItNames) {
  MustCreate("alice", 1001);
  v1::UpdateUserRequest request = UpdateOf("users/alice");
  request.mutable_user()->set_shares(300);
  request.mutable_user()->set_display_name("Alice");
  request.mutable_update_mask()->add_paths("display_name");
  v1::User user;
  ASSERT_TRUE(Call(policy_, &Stub::UpdateUser, request, user).ok());
  EXPECT_EQ(user.display_name(), "Alice");
  EXPECT_EQ(user.shares(), 100);
  EXPECT_EQ(user.selectors_size(), 1);
}

TEST_F(PolicyServiceTest, AnUnsetMaskChangesWhatIsPopulated) {
  MustCreate("alice", 1001);
  v1::UpdateUserRequest request = UpdateOf("users/alice");
  request.mutable_user()->set_exempt(true);
  v1::User user;
  ASSERT_TRUE(Call(policy_, &Stub::UpdateUser, request, user).ok());
  EXPECT_TRUE(user.exempt());
  EXPECT_EQ(user.selectors_size(), 1);
}

TEST_F(PolicyServiceTest, AStarReplacesEverythingWithItsDefaults) {
  v1::CreateUserRequest create;
  create.set_user_id("alice");
  create.mutable_user()->set_display_name("Alice");
  create.mutable_user()->add_selectors()->set_uid(1001);
  create.mutable_user()->set_shares(300);
  v1::User user;
  ASSERT_TRUE(Call(policy_, &Stub::CreateUser, create, user).ok());

  v1::UpdateUserRequest request = UpdateOf("users/alice");
  request.mutable_user()->add_selectors()->set_uid(1002);
  request.mutable_update_mask()->add_paths("*");
  ASSERT_TRUE(Call(policy_, &Stub::UpdateUser, request, user).ok());
  EXPECT_EQ(user.display_name(), "");
  EXPECT_EQ(user.shares(), 100);
  EXPECT_EQ(user.selectors(0).uid(), 1002);
}

TEST_F(PolicyServiceTest, AnImplicitUserIsDefinedByAnUpdateThatMayCreate) {
  v1::UpdateUserRequest request = UpdateOf("users/uid-1001");
  request.mutable_user()->set_shares(200);
  request.mutable_update_mask()->add_paths("shares");
  request.set_allow_missing(true);
  v1::User user;
  ASSERT_TRUE(Call(policy_, &Stub::UpdateUser, request, user).ok());
  ASSERT_EQ(user.selectors_size(), 1);
  EXPECT_EQ(user.selectors(0).uid(), 1001);
  EXPECT_EQ(user.shares(), 200);
}

TEST_F(PolicyServiceTest, ADeletedUserIsGone) {
  MustCreate("alice", 1001);
  v1::DeleteUserRequest request;
  request.set_name("users/alice");
  google::protobuf::Empty empty;
  ASSERT_TRUE(Call(policy_, &Stub::DeleteUser, request, empty).ok());
  EXPECT_TRUE(store_.Read()->users.empty());
  EXPECT_EQ(Fail(policy_, &Stub::DeleteUser, request),
            (Failure{grpc::StatusCode::NOT_FOUND, "USER_NOT_FOUND", ""}));
}

TEST_F(PolicyServiceTest, PagesListEveryUserOnceInOrderThoughUsersComeAndGo) {
  for (const char* id : {"d", "a", "c", "b"}) MustCreate(id, 1000 + id[0]);
  v1::ListUsersRequest request;
  request.set_page_size(2);
  v1::ListUsersResponse page;
  ASSERT_TRUE(Call(policy_, &Stub::ListUsers, request, page).ok());
  ASSERT_EQ(page.users_size(), 2);
  EXPECT_EQ(page.users(1).name(), "users/b");

  ASSERT_TRUE(store_.Delete("b", {}).ok());
  MustCreate("aa", 1500);
  request.set_page_token(page.next_page_token());
  ASSERT_TRUE(Call(policy_, &Stub::ListUsers, request, page).ok());
  ASSERT_EQ(page.users_size(), 2);
  EXPECT_EQ(page.users(0).name(), "users/c");
  EXPECT_EQ(page.users(1).name(), "users/d");
  EXPECT_EQ(page.next_page_token(), "");
}

TEST_F(PolicyServiceTest, SettingsHaveTheirDefaultsAndChangeByMask) {
  EXPECT_EQ(GetSettings().mode(), v1::MODE_OBSERVE);
  EXPECT_EQ(GetSettings().auto_window().min().seconds(), 1);
  EXPECT_EQ(GetSettings().auto_window().max().seconds(), 10);

  v1::UpdateSettingsRequest request;
  request.mutable_settings()->mutable_window()->set_seconds(5);
  request.mutable_settings()->set_default_shares(50);
  request.mutable_update_mask()->add_paths("window");
  v1::Settings settings;
  ASSERT_TRUE(Call(policy_, &Stub::UpdateSettings, request, settings).ok());
  EXPECT_EQ(settings.window().seconds(), 5);
  EXPECT_EQ(settings.default_shares(), 100);
  EXPECT_EQ(GetSettings().SerializeAsString(), settings.SerializeAsString());

  // Named and not set: the default.
  request.mutable_settings()->clear_window();
  ASSERT_TRUE(Call(policy_, &Stub::UpdateSettings, request, settings).ok());
  EXPECT_FALSE(settings.has_window());
  EXPECT_EQ(settings.auto_window().quantum().nanos(), 500'000'000);
}

TEST_F(PolicyServiceTest, WhatIsOnlyValidatedIsAnsweredAndNotChanged) {
  MustCreate("alice", 1001);
  v1::UpdateUserRequest request = UpdateOf("users/alice");
  request.mutable_user()->set_shares(300);
  request.set_validate_only(true);
  v1::User user;
  ASSERT_TRUE(Call(policy_, &Stub::UpdateUser, request, user).ok());
  EXPECT_EQ(user.shares(), 300);
  EXPECT_EQ(Get("users/alice").shares(), 100);
}

TEST_F(PolicyServiceTest, AnEtagOfTheCurrentVersionLetsAChangeThrough) {
  const v1::User alice = MustCreate("alice", 1001);
  v1::UpdateUserRequest request = UpdateOf("users/alice");
  request.mutable_user()->set_etag(alice.etag());
  request.mutable_user()->set_shares(300);
  v1::User changed;
  ASSERT_TRUE(Call(policy_, &Stub::UpdateUser, request, changed).ok());
  EXPECT_NE(changed.etag(), alice.etag());

  v1::DeleteUserRequest stale;
  stale.set_name("users/alice");
  stale.set_etag(alice.etag());
  EXPECT_EQ(Fail(policy_, &Stub::DeleteUser, stale),
            (Failure{grpc::StatusCode::ABORTED, "ETAG_MISMATCH", ""}));
}

}  // namespace
}  // namespace fairsched::server
