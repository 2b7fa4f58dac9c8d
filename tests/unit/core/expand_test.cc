// SPDX-License-Identifier: Apache-2.0
#include "agent/core/expand.h"

#include "agent/core/policy.h"
#include "agent/core/validate.h"
#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

Policy Students() {
  return Policy({}, {{.id = "students",
                      .selectors = UidSelectors({1001, 1002}),
                      .shares = 7,
                      .expand = true},
                     {.id = "alice", .selectors = UidSelectors({1003})}});
}

TEST(ExpandTest, AnIdIsThatOfTheWholeAndEightDigits) {
  EXPECT_EQ(ExpandedId("a", ""), "a-811c9dc5");
  EXPECT_EQ(ExpandedId("a", "uid-1001"), ExpandedId("a", "uid-1001"));
  EXPECT_NE(ExpandedId("a", "uid-1001"), ExpandedId("a", "uid-1002"));
  EXPECT_EQ(BaseOfExpanded(ExpandedId("a-b", "/x")), "a-b");
}

TEST(ExpandTest, OtherIdsAreNoPartOfAnything) {
  for (const char* id : {"", "-811c9dc5", "a-811c9dc", "a-811C9DC5", "alice",
                         "a811c9dc5", "a-811c9dcg"})
    EXPECT_EQ(BaseOfExpanded(id), std::nullopt) << id;
}

TEST(ExpandTest, EachUidIsAUserOfItsOwnWithTheSharesOfTheWhole) {
  const Policy policy = Students();
  const UserId one = *policy.UserOfUid(1001), other = *policy.UserOfUid(1002);
  EXPECT_NE(one, other);
  EXPECT_EQ(BaseOfExpanded(one), "students");
  EXPECT_EQ(policy.TermsOf(one).shares, 7);
  EXPECT_EQ(policy.Of(other).shares, 7);
  EXPECT_EQ(policy.Of(other).id, other);
  EXPECT_EQ(policy.DefinitionOf(one)->id, "students");
}

TEST(ExpandTest, UsersThatDoNotExpandHaveNoParts) {
  const Policy policy = Students();
  EXPECT_EQ(policy.UserOfUid(1003), "alice");
  const UserId part = ExpandedId("alice", "uid-1003");
  EXPECT_EQ(policy.DefinitionOf(part), nullptr);
  EXPECT_EQ(policy.TermsOf(part).shares, 100);
  EXPECT_EQ(policy.TermsOf("uid-12345678").shares, 100);
}

TEST(ExpandTest, AnIdThatLeavesNoRoomForThePartsIsRefused) {
  UserPolicy user{.id = std::string(54, 'a'),
                  .selectors = UidSelectors({1}),
                  .expand = true};
  EXPECT_TRUE(CheckUser(user).empty());
  user.id += "a";
  ASSERT_EQ(CheckUser(user).size(), 1u);
  EXPECT_EQ(CheckUser(user)[0].field, "expand");
  EXPECT_EQ(CheckUser(user)[0].problem,
            "ids of its parts would be 64 long, more than 63");
  user.expand = false;
  EXPECT_TRUE(CheckUser(user).empty());
}

}  // namespace
}  // namespace fairsched::core
