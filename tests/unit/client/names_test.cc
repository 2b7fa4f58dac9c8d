// SPDX-License-Identifier: Apache-2.0
#include "client/names.h"

#include "gtest/gtest.h"

namespace fairsched::client {
namespace {

TEST(NamesTest, AnIdAndItsResourceNameAreTheSameUser) {
  EXPECT_EQ(UserName("alice"), "users/alice");
  EXPECT_EQ(UserName("users/alice"), "users/alice");
  EXPECT_EQ(UserName("uid-1001"), "users/uid-1001");
  EXPECT_EQ(UserId("users/alice"), "alice");
  EXPECT_EQ(UserId("alice"), "alice");
}

TEST(NamesTest, ValuesOfTheApiReadAsWords) {
  EXPECT_EQ(Word(v1::UserUsage::STATE_HELD), "held");
  EXPECT_EQ(Word(v1::WindowReport::END_CAUSE_ALL_SPENT), "all spent");
  EXPECT_EQ(Word(v1::UserUsage::NOT_ENFORCED_REASON_NO_CONTROLLER),
            "no controller");
  EXPECT_EQ(Word(v1::NodeStatus::ENFORCEMENT_RELEASED), "released");
  EXPECT_EQ(Word(v1::MODE_ENFORCE), "enforce");
  EXPECT_EQ(Word(v1::PACING_FEEDBACK), "feedback");
}

TEST(NamesTest, AValueOfANewerDaemonIsAQuestionMark) {
  EXPECT_EQ(Word(static_cast<v1::UserUsage::State>(99)), "?");
}

}  // namespace
}  // namespace fairsched::client
