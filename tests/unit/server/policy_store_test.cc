// SPDX-License-Identifier: Apache-2.0
#include "server/policy_store.h"

#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_clock.h"

namespace fairsched::server {
namespace {

using ::testing::HasSubstr;

class PolicyStoreTest : public ::testing::Test {
 protected:
  static UserPatch Uid(int64_t uid) {
    return {.selectors = core::UidSelectors({uid})};
  }

  testing::FakeClock clock_;
  std::vector<uint64_t> revisions_;  // as reported
  std::shared_ptr<const core::Policy> policy_;
  PolicyStore store_{
      clock_,
      {.settings = {}, .max_users = 3},
      [this](std::shared_ptr<const core::Policy> policy, uint64_t revision) {
        policy_ = std::move(policy);
        revisions_.push_back(revision);
      }};
};

TEST_F(PolicyStoreTest, TheFirstPolicyIsThereAndIsNotReported) {
  EXPECT_EQ(store_.Read()->revision, 1u);
  EXPECT_NE(store_.Read()->policy, nullptr);
  EXPECT_TRUE(revisions_.empty());
}

TEST_F(PolicyStoreTest, EveryChangeReportsANewPolicyOfTheNextRevision) {
  ASSERT_TRUE(store_.Create("alice", Uid(1001), {}).ok());
  EXPECT_EQ(policy_->UserOfUid(1001), "alice");
  EXPECT_EQ(policy_, store_.Read()->policy);
  ASSERT_TRUE(store_.UpdateSettings({.default_shares = 50}, {}).ok());
  EXPECT_EQ(policy_->settings().default_shares, 50);
  ASSERT_TRUE(store_.Delete("alice", {}).ok());
  EXPECT_EQ(policy_->UserOfUid(1001), "uid-1001");
  EXPECT_EQ(revisions_, (std::vector<uint64_t>{2, 3, 4}));
}

TEST_F(PolicyStoreTest, APolicyKeepsItsRevisionWhileItLives) {
  const auto first = store_.Read()->policy;
  ASSERT_TRUE(store_.Create("alice", Uid(1001), {}).ok());
  EXPECT_EQ(store_.RevisionOf(*first), 1u);
  EXPECT_EQ(store_.RevisionOf(*policy_), 2u);
  EXPECT_EQ(store_.RevisionOf(core::Policy()), std::nullopt);
}

TEST_F(PolicyStoreTest, AnUpdateThatChangesNothingMakesNoRevision) {
  const auto made = store_.Create("alice", Uid(1001), {});
  const auto same =
      store_.UpdateUser({.id = "alice", .patch = {.exempt = false}}, {});
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(same->etag, made->etag);
  EXPECT_EQ(revisions_.size(), 1u);
}

TEST_F(PolicyStoreTest, TheSameContentAtAnotherRevisionHasAnotherEtag) {
  const auto first = store_.Create("alice", Uid(1001), {});
  ASSERT_TRUE(store_.Delete("alice", {}).ok());
  const auto second = store_.Create("alice", Uid(1001), {});
  EXPECT_NE(first->etag, second->etag);
}

TEST_F(PolicyStoreTest, AUserKeepsItsTimeOfCreation) {
  const auto made = store_.Create("alice", Uid(1001), {});
  clock_.Advance(absl::Seconds(5));
  const auto changed =
      store_.UpdateUser({.id = "alice", .patch = {.exempt = true}}, {});
  EXPECT_EQ(changed->create_time, made->create_time);
  EXPECT_EQ(changed->update_time, made->update_time + absl::Seconds(5));
}

TEST_F(PolicyStoreTest, ANewUserHasTheSharesThatAreTheDefaultThen) {
  ASSERT_TRUE(store_.UpdateSettings({.default_shares = 50}, {}).ok());
  EXPECT_EQ(store_.Create("alice", Uid(1001), {})->policy.shares, 50);
  ASSERT_TRUE(store_.UpdateSettings({.default_shares = 70}, {}).ok());
  EXPECT_EQ(store_.Read()->users.at("alice")->policy.shares, 50);
  const auto reset = store_.UpdateUser(
      {.id = "alice", .patch = {.shares = std::optional<int32_t>()}}, {});
  EXPECT_EQ(reset->policy.shares, 70);
}

TEST_F(PolicyStoreTest, OneUserTooManyIsRefused) {
  for (int64_t uid = 1001; uid <= 1003; ++uid) {
    ASSERT_TRUE(store_.Create(absl::StrCat("u", uid), Uid(uid), {}).ok());
  }
  const auto before = store_.Read();
  EXPECT_EQ(store_.Create("u1004", Uid(1004), {}).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(store_.Read(), before);
}

TEST_F(PolicyStoreTest, AnEtagOfAUserThatIsNotThereIsAMismatch) {
  const auto made =
      store_.UpdateUser({.id = "alice", .patch = {}, .if_missing = Uid(1001)},
                        {.etag = "0123456789abcdef"});
  EXPECT_EQ(made.status().code(), absl::StatusCode::kAborted);
}

TEST_F(PolicyStoreTest, ADisplayNameIsShortPlainText) {
  for (const std::string& name :
       {std::string("two\nlines"), std::string("\xC3\x28"),
        std::string(257, 'a')}) {
    UserPatch patch = Uid(1001);
    patch.display_name = name;
    const auto made = store_.Create("alice", patch, {});
    EXPECT_EQ(made.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(made.status().message(), HasSubstr("user.display_name"));
  }
  EXPECT_TRUE(revisions_.empty());
}

TEST_F(PolicyStoreTest, AValidatedChangeHasNoEtagAndIsNotReported) {
  const auto made =
      store_.Create("alice", Uid(1001), {.etag = "", .validate_only = true});
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->etag, "");
  const auto settings = store_.UpdateSettings(
      {.default_shares = 7}, {.etag = "", .validate_only = true});
  EXPECT_EQ(settings->values.default_shares, 7);
  EXPECT_EQ(store_.Read()->revision, 1u);
  EXPECT_TRUE(revisions_.empty());
}

TEST_F(PolicyStoreTest, ANodeThatCanOnlyBeObservedRefusesToEnforceAndSaysWhy) {
  PolicyStore store(
      clock_,
      {.settings = {},
       .why_not_enforce = absl::UnavailableError("no cpu controller")},
      [](auto, uint64_t) {});
  const auto before = store.Read();
  const auto settings =
      store.UpdateSettings({.mode = core::Mode::kEnforce}, {});
  EXPECT_EQ(settings.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(settings.status().message(), HasSubstr("no cpu controller"));
  EXPECT_EQ(store.Read(), before);
  EXPECT_TRUE(store.UpdateSettings({.default_shares = 50}, {}).ok());
}

TEST_F(PolicyStoreTest, WhileHeldPoliciesObserveWhateverTheSettingsSay) {
  ASSERT_TRUE(store_.UpdateSettings({.mode = core::Mode::kEnforce}, {}).ok());

  store_.HoldObserving("a file is there");
  EXPECT_EQ(policy_->settings().mode, core::Mode::kObserve);
  EXPECT_EQ(store_.Read()->settings.values.mode, core::Mode::kEnforce);
  EXPECT_EQ(store_.Read()->held_because, "a file is there");
  ASSERT_TRUE(store_.UpdateSettings({.default_shares = 50}, {}).ok());
  EXPECT_EQ(policy_->settings().mode, core::Mode::kObserve);

  store_.HoldObserving("");
  EXPECT_EQ(policy_->settings().mode, core::Mode::kEnforce);
  EXPECT_EQ(policy_->settings().default_shares, 50);
}

TEST_F(PolicyStoreTest, HoldingAgainForTheSameReasonChangesNothing) {
  store_.HoldObserving("");
  EXPECT_TRUE(revisions_.empty());
  store_.HoldObserving("why");
  store_.HoldObserving("why");
  EXPECT_EQ(revisions_, (std::vector<uint64_t>{2}));
}

TEST_F(PolicyStoreTest, ConcurrentChangesAreReportedInOrder) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (int32_t i = 0; i < 50; ++i) {
        store_.UpdateSettings({.default_shares = 1 + t * 50 + i}, {})
            .IgnoreError();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(revisions_.size(), 200u);
  for (size_t i = 0; i < revisions_.size(); ++i) {
    EXPECT_EQ(revisions_[i], i + 2);
  }
  EXPECT_EQ(policy_, store_.Read()->policy);
}

}  // namespace
}  // namespace fairsched::server
