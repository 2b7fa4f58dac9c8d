// SPDX-License-Identifier: Apache-2.0
#include "client/usage_table.h"

#include <string>
#include <vector>

#include "client/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::client {
namespace {

using ::testing::ElementsAre;

v1::UserUsage User(const std::string& name, double cpus,
                   absl::Duration balance) {
  v1::UserUsage usage;
  usage.set_user(name);
  usage.set_cpus(cpus);
  *usage.mutable_balance() = ToProto(balance);
  return usage;
}

std::vector<std::string> SortedNames(SortKey key) {
  std::vector<v1::UserUsage> users = {
      User("users/c", 0.5, absl::Milliseconds(-5)),
      User("users/b", 1.5, absl::Milliseconds(10)),
      User("users/a", 0.5, absl::Milliseconds(-250)),
      User("users/d", 0.5, absl::Milliseconds(-5)),
  };
  Sort(users, key);
  std::vector<std::string> names;
  for (const v1::UserUsage& user : users) names.push_back(user.user());
  return names;
}

TEST(UsageTableTest, ByCpuTheBusiestComesFirstAndEqualsByName) {
  EXPECT_THAT(SortedNames(SortKey::kCpu),
              ElementsAre("users/b", "users/a", "users/c", "users/d"));
}

TEST(UsageTableTest, ByBalanceTheDeepestDebtComesFirstAndEqualsByName) {
  EXPECT_THAT(SortedNames(SortKey::kBalance),
              ElementsAre("users/a", "users/c", "users/d", "users/b"));
}

TEST(UsageTableTest, ByNameTheOrderIsThatOfTheAlphabet) {
  EXPECT_THAT(SortedNames(SortKey::kName),
              ElementsAre("users/a", "users/b", "users/c", "users/d"));
}

TEST(UsageTableTest, OnlyKnownSortKeysAreTaken) {
  EXPECT_EQ(*ParseSortKey("balance"), SortKey::kBalance);
  EXPECT_EQ(ParseSortKey("memory").status().message(),
            "'memory' is no sort key: cpu, balance or name");
}

TEST(UsageTableTest, ADecisionThatDoesNotHoldIsShownBeforeTheReason) {
  v1::UserUsage usage;
  usage.set_reason("has tokens");
  EXPECT_EQ(ReasonCell(usage).text, "has tokens");

  usage.set_enforcement(v1::UserUsage::ENFORCEMENT_NOT_ENFORCED);
  usage.set_not_enforced_reason(v1::UserUsage::NOT_ENFORCED_REASON_READ_ONLY);
  usage.set_not_enforced_detail("write cpu.weight: EROFS");
  EXPECT_EQ(ReasonCell(usage).text,
            "NOT ENFORCED, read only: write cpu.weight: EROFS; has tokens");
}

TEST(UsageTableTest, WhatHoldsForAWhileIsShownBeforeTheReason) {
  v1::UserUsage usage;
  usage.set_reason("has tokens");
  usage.mutable_override()->mutable_restriction()->set_millicpus(500);
  EXPECT_EQ(ReasonCell(usage).text, "restricted to 500m; has tokens");
  usage.mutable_override()->mutable_boost()->set_factor(4);
  EXPECT_EQ(ReasonCell(usage).text, "4 times its shares; has tokens");
}

}  // namespace
}  // namespace fairsched::client
