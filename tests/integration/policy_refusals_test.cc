// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/paging.h"
#include "tests/integration/api_fixture.h"

// What PolicyService refuses.
namespace fairsched::server {
namespace {

using Stub = v1::PolicyService::Stub;
using ::testing::ElementsAre;

using PolicyRefusalsTest = ApiFixture;

// One bad request after the other, against users alice (1001) and bob (1002).
struct BadCase {
  std::string name;
  std::function<Failure(const std::unique_ptr<Stub>&)> call;
  Failure want;
};

template <typename Request, typename Response>
Failure Send(const std::unique_ptr<Stub>& stub,
             grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                          Response*),
             const Request& request) {
  grpc::ClientContext context;
  Response response;
  return FailureOf(((*stub).*method)(&context, request, &response));
}

// A creation of users/{id}.
BadCase Create(std::string name, const std::string& id,
               std::function<void(v1::User&)> edit, Failure want) {
  return {std::move(name),
          [id, edit](const std::unique_ptr<Stub>& stub) {
            v1::CreateUserRequest request;
            request.set_user_id(id);
            edit(*request.mutable_user());
            return Send(stub, &Stub::CreateUser, request);
          },
          std::move(want)};
}

// A creation of users/carol with uid 1003 and one thing that is wrong.
BadCase Carol(std::string name, std::function<void(v1::User&)> edit,
              Failure want) {
  return Create(
      std::move(name), "carol",
      [edit](v1::User& user) {
        user.add_selectors()->set_uid(1003);
        edit(user);
      },
      std::move(want));
}

BadCase Update(std::string name,
               std::function<void(v1::UpdateUserRequest&)> edit, Failure want) {
  return {std::move(name),
          [edit](const std::unique_ptr<Stub>& stub) {
            v1::UpdateUserRequest request;
            request.mutable_user()->set_name("users/alice");
            edit(request);
            return Send(stub, &Stub::UpdateUser, request);
          },
          std::move(want)};
}

BadCase Settings(std::string name,
                 std::function<void(v1::UpdateSettingsRequest&)> edit,
                 Failure want) {
  return {std::move(name),
          [edit](const std::unique_ptr<Stub>& stub) {
            v1::UpdateSettingsRequest request;
            edit(request);
            return Send(stub, &Stub::UpdateSettings, request);
          },
          std::move(want)};
}

BadCase List(std::string name, std::function<void(v1::ListUsersRequest&)> edit,
             Failure want) {
  return {std::move(name),
          [edit](const std::unique_ptr<Stub>& stub) {
            v1::ListUsersRequest request;
            edit(request);
            return Send(stub, &Stub::ListUsers, request);
          },
          std::move(want)};
}

void AddUids(v1::User& user, std::vector<int64_t> uids) {
  user.clear_selectors();
  for (const int64_t uid : uids) user.add_selectors()->set_uid(uid);
}

const Failure kSelectorTaken = {grpc::StatusCode::ALREADY_EXISTS,
                                "SELECTOR_TAKEN", "user.selectors[0].uid"};
const Failure kUserNotFound = {grpc::StatusCode::NOT_FOUND, "USER_NOT_FOUND",
                               ""};
const Failure kEtagMismatch = {grpc::StatusCode::ABORTED, "ETAG_MISMATCH", ""};

std::vector<BadCase> BadUsers() {
  using U = v1::User;
  return {
      Create(
          "IdWithCapitals", "Alice", [](U&) {}, BadField("user_id")),
      Create(
          "IdEmpty", "", [](U&) {}, BadField("user_id")),
      Create(
          "IdTooLong", std::string(64, 'a'), [](U&) {}, BadField("user_id")),
      Create(
          "IdOfAnotherUid", "uid-1005", [](U& u) { AddUids(u, {1006}); },
          BadField("user.selectors")),
      Create(
          "NameOfAnother", "carol", [](U& u) { u.set_name("users/dave"); },
          BadField("user.name")),
      Create("Exists", "alice", [](U& u) { AddUids(u, {1009}); },
             {grpc::StatusCode::ALREADY_EXISTS, "USER_EXISTS", ""}),
      Create(
          "NoSelector", "carol", [](U&) {}, BadField("user.selectors")),
      Create(
          "EmptySelector", "carol", [](U& u) { u.add_selectors(); },
          BadField("user.selectors[0]")),
      Carol(
          "UidNegative", [](U& u) { AddUids(u, {-1}); },
          BadField("user.selectors[0].uid")),
      Carol(
          "UidIsNoUid", [](U& u) { AddUids(u, {4294967295}); },
          BadField("user.selectors[0].uid")),
      Carol(
          "UidTwice",
          [](U& u) {
            AddUids(u, {1003, 1003});
          },
          BadField("user.selectors[1].uid")),
      Carol(
          "UidTaken", [](U& u) { AddUids(u, {1001}); }, kSelectorTaken),
      Carol(
          "UnitWithoutSuffix",
          [](U& u) { u.add_selectors()->set_unit("nginx"); },
          BadField("user.selectors[1].unit")),
      Carol(
          "CgroupOutsideOfTheTree",
          [](U& u) { u.add_selectors()->set_cgroup("../system.slice"); },
          BadField("user.selectors[1].cgroup")),
      Carol(
          "LoginWithASlash", [](U& u) { u.add_selectors()->set_login("../x"); },
          BadField("user.selectors[1].login")),
      Carol(
          "UnixGroupWithAColon",
          [](U& u) { u.add_selectors()->set_unix_group("a:b"); },
          BadField("user.selectors[1].unix_group")),
      Carol(
          "SharesZero", [](U& u) { u.set_shares(0); }, BadField("user.shares")),
      Carol(
          "SharesNegative", [](U& u) { u.set_shares(-1); },
          BadField("user.shares")),
      Carol(
          "SharesTooMany", [](U& u) { u.set_shares(10001); },
          BadField("user.shares")),
      Carol(
          "DisplayNameOfTwoLines", [](U& u) { u.set_display_name("a\nb"); },
          BadField("user.display_name")),
      Carol(
          "DisplayNameTooLong",
          [](U& u) { u.set_display_name(std::string(257, 'a')); },
          BadField("user.display_name")),
  };
}

std::vector<BadCase> BadChanges() {
  using R = v1::UpdateUserRequest;
  return {
      Update(
          "NoName", [](R& r) { r.mutable_user()->clear_name(); },
          BadField("user.name")),
      Update(
          "BadName", [](R& r) { r.mutable_user()->set_name("alice"); },
          BadField("user.name")),
      Update(
          "Missing", [](R& r) { r.mutable_user()->set_name("users/x"); },
          kUserNotFound),
      Update(
          "UnknownPath",
          [](R& r) { r.mutable_update_mask()->add_paths("share"); },
          BadField("update_mask")),
      Update(
          "OutputOnlyPath",
          [](R& r) { r.mutable_update_mask()->add_paths("etag"); },
          BadField("update_mask")),
      Update(
          "StaleEtag",
          [](R& r) {
            r.mutable_user()->set_etag("0123456789abcdef");
            r.mutable_user()->set_shares(200);
          },
          kEtagMismatch),
      Update(
          "UidOfAnother",
          [](R& r) { r.mutable_user()->add_selectors()->set_uid(1002); },
          kSelectorTaken),
      Update(
          "SelectorsTakenAway",
          [](R& r) { r.mutable_update_mask()->add_paths("selectors"); },
          BadField("user.selectors")),
  };
}

std::vector<BadCase> BadSettings() {
  using R = v1::UpdateSettingsRequest;
  const auto window = [](int64_t seconds, int32_t nanos) {
    return [seconds, nanos](R& r) {
      r.mutable_settings()->mutable_window()->set_seconds(seconds);
      r.mutable_settings()->mutable_window()->set_nanos(nanos);
    };
  };
  return {
      Settings("WindowZero", window(0, 0), BadField("settings.window")),
      Settings("WindowOfHours", window(36000, 0), BadField("settings.window")),
      Settings("WindowOfTwoSigns", window(2, -1), BadField("settings.window")),
      Settings("WindowBeyondTheType", window(INT64_MAX, 0),
               BadField("settings.window")),
      Settings(
          "TickBeyondWindow",
          [](R& r) {
            r.mutable_settings()->mutable_tick()->set_nanos(900'000'000);
            r.mutable_settings()
                ->mutable_auto_window()
                ->mutable_max()
                ->set_seconds(8);
          },
          BadField("settings.auto_window.max")),
      Settings(
          "UnknownPath",
          [](R& r) { r.mutable_update_mask()->add_paths("windows"); },
          BadField("update_mask")),
      Settings(
          "UnknownMode",
          [](R& r) {
            r.mutable_settings()->set_mode(static_cast<v1::Mode>(9));
          },
          BadField("settings.mode")),
      Settings(
          "AnotherName",
          [](R& r) { r.mutable_settings()->set_name("setting"); },
          BadField("settings.name")),
      Settings(
          "StaleEtag", [](R& r) { r.mutable_settings()->set_etag("1"); },
          kEtagMismatch),
      Settings(
          "RangeBackwards",
          [](R& r) {
            v1::UidRange* range = r.mutable_settings()->add_uid_ranges();
            range->set_first(5);
            range->set_last(4);
          },
          BadField("settings.uid_ranges[0].last")),
  };
}

std::vector<BadCase> BadPages() {
  using R = v1::ListUsersRequest;
  return {
      List(
          "NegativePageSize", [](R& r) { r.set_page_size(-1); },
          BadField("page_size")),
      List(
          "GarbageToken", [](R& r) { r.set_page_token("%%%"); },
          BadField("page_token")),
      List(
          "TokenOfAnotherList",
          [](R& r) { r.set_page_token(PageToken("usage", "alice")); },
          BadField("page_token")),
      List(
          "LongToken", [](R& r) { r.set_page_token(std::string(257, 'A')); },
          BadField("page_token")),
  };
}

TEST_F(PolicyRefusalsTest, ABadRequestIsRefusedByFieldAndChangesNothing) {
  MustCreate("alice", 1001);
  MustCreate("bob", 1002);
  const auto before = store_.Read();
  for (const auto& cases :
       {BadUsers(), BadChanges(), BadSettings(), BadPages()}) {
    for (const BadCase& bad : cases) {
      EXPECT_EQ(bad.call(policy_), bad.want) << bad.name;
      EXPECT_EQ(store_.Read(), before) << bad.name;
    }
  }
}

TEST_F(PolicyRefusalsTest, ANameThatIsNoUtf8IsRefusedAndChangesNothing) {
  const auto before = store_.Read();
  v1::CreateUserRequest request;
  request.set_user_id("alice");
  request.mutable_user()->add_selectors()->set_uid(1001);
  request.mutable_user()->set_display_name("\xC3\x28");
  // gRPC's own answer to a message that cannot be parsed.
  EXPECT_EQ(Fail(policy_, &Stub::CreateUser, request).code,
            grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(store_.Read(), before);
}

TEST_F(PolicyRefusalsTest, AnErrorSaysValueAndRangeAndListsEveryBadField) {
  v1::CreateUserRequest request;
  request.set_user_id("alice");
  request.mutable_user()->add_selectors()->set_uid(-1);
  request.mutable_user()->set_shares(10001);
  v1::User user;
  const grpc::Status status = Call(policy_, &Stub::CreateUser, request, user);

  google::rpc::Status details;
  ASSERT_TRUE(grpc::ExtractErrorDetails(status, &details).ok());
  google::rpc::BadRequest bad;
  for (const auto& detail : details.details()) detail.UnpackTo(&bad);
  std::vector<std::string> fields;
  for (const auto& one : bad.field_violations()) fields.push_back(one.field());
  EXPECT_THAT(fields, ElementsAre("user.shares", "user.selectors[0].uid"));
  EXPECT_EQ(status.error_message(), "user.shares: 10001 is not in 1..10000");
}

}  // namespace
}  // namespace fairsched::server
