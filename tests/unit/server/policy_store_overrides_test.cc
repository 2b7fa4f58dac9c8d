// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/policy_store.h"
#include "tests/support/fake_clock.h"

namespace fairsched::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PolicyStoreOverridesTest : public ::testing::Test {
 protected:
  static OverrideOrder Restriction(absl::Duration ttl) {
    return {.kind = core::Override::Kind::kRestrict, .ttl = ttl};
  }
  static UserPatch Uid(int64_t uid) {
    return {.selectors = core::UidSelectors({uid})};
  }
  double LimitOf(const core::UserId& id) const {
    return policy_->TermsOf(id).limit_cpus;
  }

  testing::FakeClock clock_;
  int changes_ = 0;
  std::shared_ptr<const core::Policy> policy_;
  PolicyStore store_{
      clock_,
      {.settings = {}, .max_users = 2},
      [this](std::shared_ptr<const core::Policy> policy, uint64_t) {
        policy_ = std::move(policy);
        ++changes_;
      }};
};

TEST_F(PolicyStoreOverridesTest, ItHoldsUntilTheClockSaysThatItIsOver) {
  ASSERT_TRUE(
      store_.SetOverride("uid-1001", Restriction(absl::Hours(1)), {}).ok());
  EXPECT_EQ(LimitOf("uid-1001"), 0.5);
  clock_.Advance(absl::Hours(1) - absl::Microseconds(1));
  EXPECT_THAT(store_.ExpireOverrides(), IsEmpty());
  EXPECT_EQ(changes_, 1);

  clock_.Advance(absl::Microseconds(1));

  EXPECT_THAT(store_.ExpireOverrides(), ElementsAre("uid-1001"));
  EXPECT_EQ(LimitOf("uid-1001"), 0);
  EXPECT_EQ(changes_, 2);
  EXPECT_EQ(store_.GetOverride("uid-1001").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(PolicyStoreOverridesTest, OthersGoOnWhenOneIsOver) {
  ASSERT_TRUE(
      store_.SetOverride("uid-1001", Restriction(absl::Hours(1)), {}).ok());
  ASSERT_TRUE(
      store_.SetOverride("uid-1002", Restriction(absl::Hours(2)), {}).ok());
  clock_.Advance(absl::Hours(1));
  EXPECT_THAT(store_.ExpireOverrides(), ElementsAre("uid-1001"));
  EXPECT_EQ(LimitOf("uid-1002"), 0.5);
}

TEST_F(PolicyStoreOverridesTest, TheNewerReplacesTheOlder) {
  ASSERT_TRUE(
      store_.SetOverride("uid-1001", Restriction(absl::Hours(1)), {}).ok());
  ASSERT_TRUE(
      store_
          .SetOverride(
              "uid-1001",
              {.kind = core::Override::Kind::kBoost, .ttl = absl::Hours(2)}, {})
          .ok());
  EXPECT_EQ(LimitOf("uid-1001"), 0);
  EXPECT_EQ(policy_->TermsOf("uid-1001").shares, 400);
  clock_.Advance(absl::Hours(1));
  EXPECT_THAT(store_.ExpireOverrides(), IsEmpty());
}

TEST_F(PolicyStoreOverridesTest, ARestrictionIsTenFloorsUnlessItSaysMore) {
  ASSERT_TRUE(store_.UpdateSettings({.floor_millicpus = 20}, {}).ok());
  ASSERT_TRUE(
      store_.SetOverride("uid-1001", Restriction(absl::Hours(1)), {}).ok());
  EXPECT_EQ(LimitOf("uid-1001"), 0.2);
  ASSERT_TRUE(store_.UpdateSettings({.floor_millicpus = 0}, {}).ok());
  ASSERT_TRUE(
      store_.SetOverride("uid-1001", Restriction(absl::Hours(1)), {}).ok());
  EXPECT_EQ(LimitOf("uid-1001"), 0.01);
}

TEST_F(PolicyStoreOverridesTest, OnlyUsersCanHaveOne) {
  ASSERT_TRUE(store_.Create("alice", Uid(1001), {}).ok());
  for (const core::UserId id : {"bob", "uid-1001", "uid-999"}) {
    EXPECT_EQ(
        store_.SetOverride(id, Restriction(absl::Hours(1)), {}).status().code(),
        absl::StatusCode::kNotFound)
        << id;
  }
  EXPECT_TRUE(
      store_.SetOverride("alice", Restriction(absl::Hours(1)), {}).ok());
}

TEST_F(PolicyStoreOverridesTest, AnExemptUserIsNotRestricted) {
  const auto refused =
      store_.SetOverride("uid-0", Restriction(absl::Hours(1)), {});
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("exempt"));
  EXPECT_EQ(changes_, 0);
}

TEST_F(PolicyStoreOverridesTest, ADeletedUserTakesItAlongUnlessItIsImplicit) {
  ASSERT_TRUE(store_.Create("alice", Uid(1001), {}).ok());
  ASSERT_TRUE(store_.Create("uid-1002", {}, {}).ok());
  ASSERT_TRUE(
      store_.SetOverride("alice", Restriction(absl::Hours(1)), {}).ok());
  ASSERT_TRUE(
      store_.SetOverride("uid-1002", Restriction(absl::Hours(1)), {}).ok());
  ASSERT_TRUE(store_.Delete("alice", {}).ok());
  ASSERT_TRUE(store_.Delete("uid-1002", {}).ok());
  EXPECT_FALSE(store_.GetOverride("alice").ok());
  EXPECT_EQ(LimitOf("uid-1002"), 0.5);
}

TEST_F(PolicyStoreOverridesTest, APartOfAUserThatExpandsMayHaveOneOfItsOwn) {
  UserPatch each = Uid(1001);
  each.selectors = core::UidSelectors({1001, 1002});
  each.expand = true;
  ASSERT_TRUE(store_.Create("each", each, {}).ok());
  const core::UserId one = *policy_->UserOfUid(1001);
  const core::UserId other = *policy_->UserOfUid(1002);
  ASSERT_TRUE(store_.SetOverride(one, Restriction(absl::Hours(1)), {}).ok());
  EXPECT_EQ(LimitOf(one), 0.5);
  EXPECT_EQ(LimitOf(other), 0);
  // That of the whole is for those that have none.
  const OverrideOrder boost = {.kind = core::Override::Kind::kBoost,
                               .ttl = absl::Hours(2)};
  ASSERT_TRUE(store_.SetOverride("each", boost, {}).ok());
  EXPECT_EQ(policy_->TermsOf(one).shares, 100);
  EXPECT_EQ(policy_->TermsOf(other).shares, 400);
  EXPECT_EQ(OverrideFor(*store_.Read(), one)->first, one);
  EXPECT_EQ(OverrideFor(*store_.Read(), other)->first, "each");
  ASSERT_TRUE(store_.ClearOverride(one).ok());
  EXPECT_EQ(policy_->TermsOf(one).shares, 400);
}

TEST_F(PolicyStoreOverridesTest, WhatIsNoPartAnyMoreHasNone) {
  UserPatch each = Uid(1001);
  each.expand = true;
  ASSERT_TRUE(store_.Create("each", each, {}).ok());
  const core::UserId part = *policy_->UserOfUid(1001);
  ASSERT_TRUE(store_.SetOverride(part, Restriction(absl::Hours(1)), {}).ok());
  each.expand = false;
  ASSERT_TRUE(store_.UpdateUser({.id = "each", .patch = each}, {}).ok());
  EXPECT_FALSE(store_.GetOverride(part).ok());
  EXPECT_EQ(
      store_.SetOverride(part, Restriction(absl::Hours(1)), {}).status().code(),
      absl::StatusCode::kNotFound);
}

TEST_F(PolicyStoreOverridesTest, ThereAreNotMoreThanUsers) {
  const OverrideOrder order = Restriction(absl::Hours(1));
  ASSERT_TRUE(store_.SetOverride("uid-1001", order, {}).ok());
  ASSERT_TRUE(store_.SetOverride("uid-1002", order, {}).ok());
  EXPECT_EQ(store_.SetOverride("uid-1003", order, {}).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(store_.SetOverride("uid-1002", order, {}).ok());
}

TEST_F(PolicyStoreOverridesTest, ClearingEndsItAtOnce) {
  ASSERT_TRUE(
      store_.SetOverride("uid-1001", Restriction(absl::Hours(1)), {}).ok());
  EXPECT_TRUE(store_.ClearOverride("uid-1001").ok());
  EXPECT_EQ(LimitOf("uid-1001"), 0);
  EXPECT_EQ(store_.ClearOverride("uid-1001").code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace fairsched::server
