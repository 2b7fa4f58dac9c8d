// SPDX-License-Identifier: Apache-2.0
#include "server/uid_ranges.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "agent/core/validate.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::server {
namespace {

using core::UidRange;
using ::testing::ElementsAre;

TEST(UidRangesTest, WithoutFilesItIs1000UpwardsLessTheDynamic) {
  EXPECT_THAT(OrdinaryUids("", ""),
              ElementsAre(UidRange{1000, 61183}, UidRange{65536, 4294967294}));
}

TEST(UidRangesTest, TakesUidMinFromLoginDefs) {
  EXPECT_EQ(OrdinaryUids("# UID_MIN 5\nUID_MIN\t\t  500\nUID_MAX 9\n", "")
                .front()
                .first,
            500);
  EXPECT_EQ(OrdinaryUids("UID_MIN -7\nUID_MIN x\n", "").front().first, 1000);
}

TEST(UidRangesTest, SubordinateUidsBelongToTheirOwners) {
  EXPECT_THAT(
      OrdinaryUids("", "a:100000:65536\nb:165536:65536\n# c\nd:x:1\ne:7\n"),
      ElementsAre(UidRange{1000, 61183}, UidRange{65536, 99999},
                  UidRange{231072, 4294967294}));
}

TEST(UidRangesTest, ARangeBeyondTheLastUidEndsThere) {
  EXPECT_THAT(OrdinaryUids("", "a:4294967290:9223372036854775807\n"),
              ElementsAre(UidRange{1000, 61183}, UidRange{65536, 4294967289}));
}

TEST(UidRangesTest, ManyScatteredRangesAreLeftOutAsOne) {
  std::string subuid;
  for (int i = 0; i < 1000; ++i)
    absl::StrAppend(&subuid, "u:", 100'000 + i * 20, ":10\n");
  const auto ranges = OrdinaryUids("", subuid);
  EXPECT_THAT(ranges, ElementsAre(UidRange{1000, 61183}, UidRange{65536, 99999},
                                  UidRange{119'990, 4294967294}));
  EXPECT_TRUE(core::CheckSettings({.uid_ranges = ranges}).empty());
}

}  // namespace
}  // namespace fairsched::server
