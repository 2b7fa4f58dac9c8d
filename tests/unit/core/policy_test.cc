// SPDX-License-Identifier: Apache-2.0
#include "agent/core/policy.h"

#include <optional>

#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

Policy Example() {
  return Policy(
      {.default_shares = 70, .uid_ranges = {{1000, 1999}}},
      {{.id = "alice", .selectors = UidSelectors({1001, 5000}), .shares = 300},
       {.id = "backup", .selectors = UidSelectors({34}), .exempt = true}});
}

TEST(PolicyTest, AUidBelongsToItsDefinedUserInOrOutOfTheRanges) {
  EXPECT_EQ(Example().UserOfUid(1001), "alice");
  EXPECT_EQ(Example().UserOfUid(5000), "alice");
}

TEST(PolicyTest, AManagedUidThatNobodyNamesIsAnImplicitUserWithTheDefaults) {
  EXPECT_EQ(Example().UserOfUid(1002), "uid-1002");
  EXPECT_EQ(Example().Of("uid-1002").shares, 70);
  EXPECT_EQ(Example().Of("uid-1002").selectors, UidSelectors({1002}));
  EXPECT_EQ(Example().TermsOf("uid-1002").shares, 70);
}

TEST(PolicyTest, RootIsExemptAndOthersOutOfTheRangesAreNobodys) {
  EXPECT_EQ(Example().UserOfUid(0), "uid-0");
  EXPECT_TRUE(Example().TermsOf("uid-0").exempt);
  EXPECT_TRUE(Example().Of("uid-0").exempt);
  EXPECT_EQ(Example().UserOfUid(33), std::nullopt);
  EXPECT_EQ(Example().UserOfUid(2000), std::nullopt);
}

TEST(PolicyTest, AUserMayBeDefinedAsExempt) {
  EXPECT_TRUE(Example().TermsOf("backup").exempt);
  EXPECT_FALSE(Example().TermsOf("alice").exempt);
}

TEST(PolicyTest, TermsAndOfSayTheSame) {
  for (const UserId id : {"alice", "backup", "uid-0", "uid-1002", "nobody"}) {
    EXPECT_EQ(Example().TermsOf(id).shares, Example().Of(id).shares) << id;
    EXPECT_EQ(Example().TermsOf(id).exempt, Example().Of(id).exempt) << id;
  }
}

TEST(PolicyTest, ImplicitIdsHaveExactlyOneSpelling) {
  EXPECT_EQ(UidOfImplicitId(ImplicitId(4294967294)), 4294967294);
  for (const UserId id : {"uid-", "uid-01", "uid-+1", "uid--1", "uid-1x",
                          "uid-99999999999999999999", "UID-1", "xuid-1", ""}) {
    EXPECT_EQ(UidOfImplicitId(id), std::nullopt) << id;
  }
}

TEST(PolicyTest, ALoginIsTheUidThatItIsKnownToHave) {
  const std::vector<UserPolicy> users = {
      {.id = "bob",
       .selectors = {LoginSelector("bob"), LoginSelector("nobody-yet")}}};

  EXPECT_EQ(Policy({}, users).UserOfUid(1002), "uid-1002");
  const Policy known({}, users, {}, {.logins = {{"bob", 1002}}});
  EXPECT_EQ(known.UserOfUid(1002), "bob");
  EXPECT_EQ(known.UidsOf("bob"), std::vector<int64_t>{1002});
  EXPECT_EQ(NamesIn(known.users(), Selector::Kind::kLogin),
            (std::set<std::string>{"bob", "nobody-yet"}));
}

TEST(PolicyTest, WhoSelectsAUidGoesBeforeWhoSelectsItsLogin) {
  const Policy policy({},
                      {{.id = "a", .selectors = {LoginSelector("bob")}},
                       {.id = "b", .selectors = {UidSelector(1002)}}},
                      {}, {.logins = {{"bob", 1002}}});
  EXPECT_EQ(policy.UserOfUid(1002), "b");
}

TEST(PolicyTest, TheLoginOfAnExemptUidIsExempt) {
  const Policy policy({}, {{.id = "admin", .selectors = {LoginSelector("r")}}},
                      {}, {.logins = {{"r", 0}}});
  EXPECT_TRUE(policy.TermsOf("admin").exempt);
}

// Two unix groups that have members in common, beside firmer selectors.
Policy OfGroups(bool expand = false) {
  return Policy({.uid_ranges = {{1000, 1999}}},
                {{.id = "a", .selectors = {UidSelector(1001)}},
                 {.id = "b", .selectors = {LoginSelector("bob")}},
                 {.id = "staff", .selectors = {UnixGroupSelector("staff")}},
                 {.id = "all",
                  .selectors = {UnixGroupSelector("all")},
                  .shares = 7,
                  .expand = expand}},
                {},
                {.logins = {{"bob", 1002}},
                 .unix_groups = {{"all", {0, 33, 1001, 1002, 1003, 1004}},
                                 {"staff", {1003, 1005}}}});
}

TEST(PolicyTest, AUnixGroupHasWhomNothingFirmerSelects) {
  const Policy policy = OfGroups();
  EXPECT_EQ(policy.UserOfUid(1001), "a");
  EXPECT_EQ(policy.UserOfUid(1002), "b");
  EXPECT_EQ(policy.UserOfUid(1003), "all");  // the first by id
  EXPECT_EQ(policy.UserOfUid(1004), "all");
  EXPECT_EQ(policy.UserOfUid(1005), "staff");
  EXPECT_EQ(policy.UserOfUid(1006), "uid-1006");
  EXPECT_TRUE(policy.IsOfUnixGroup(1003));
  EXPECT_FALSE(policy.IsOfUnixGroup(1002));
  EXPECT_FALSE(policy.IsOfUnixGroup(1006));
  EXPECT_EQ(policy.UidsOf("all"), (std::vector<int64_t>{1003, 1004}));
}

TEST(PolicyTest, AUnixGroupTakesNeitherTheExemptNorWhoIsNotManaged) {
  const Policy policy = OfGroups();
  EXPECT_EQ(policy.UserOfUid(0), "uid-0");
  EXPECT_EQ(policy.UserOfUid(33), std::nullopt);
  EXPECT_FALSE(policy.TermsOf("all").exempt);
}

TEST(PolicyTest, EachMemberOfAUnixGroupMayBeAUserOfItsOwn) {
  const Policy policy = OfGroups(/*expand=*/true);
  const UserId one = *policy.UserOfUid(1003), other = *policy.UserOfUid(1004);
  EXPECT_NE(one, other);
  EXPECT_EQ(policy.TermsOf(one).shares, 7);
  EXPECT_EQ(policy.UidsOf(one), std::vector<int64_t>{1003});
}

}  // namespace
}  // namespace fairsched::core
