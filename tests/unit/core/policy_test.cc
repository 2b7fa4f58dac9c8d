// SPDX-License-Identifier: Apache-2.0
#include "agent/core/policy.h"

#include <optional>

#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

Policy Example() {
  return Policy({.default_shares = 70, .uid_ranges = {{1000, 1999}}},
                {{.id = "alice", .uids = {1001, 5000}, .shares = 300},
                 {.id = "backup", .uids = {34}, .exempt = true}});
}

TEST(PolicyTest, AUidBelongsToItsDefinedUserInOrOutOfTheRanges) {
  EXPECT_EQ(Example().UserOfUid(1001), "alice");
  EXPECT_EQ(Example().UserOfUid(5000), "alice");
}

TEST(PolicyTest, AManagedUidThatNobodyNamesIsAnImplicitUserWithTheDefaults) {
  EXPECT_EQ(Example().UserOfUid(1002), "uid-1002");
  EXPECT_EQ(Example().Of("uid-1002").shares, 70);
  EXPECT_EQ(Example().Of("uid-1002").uids, std::vector<int64_t>{1002});
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

}  // namespace
}  // namespace fairsched::core
