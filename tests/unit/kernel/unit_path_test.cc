// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/unit_path.h"

#include <optional>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

TEST(UnitPathTest, ASliceOfALoginHasItsUid) {
  EXPECT_EQ(UidOfUserSlice("user-1001.slice"), 1001);
  EXPECT_EQ(UidOfUserSlice("user-0.slice"), 0);
  for (const char* const other :
       {"user-.slice", "user-01.slice", "user-+1.slice", "user-1.service",
        "user-4294967296.slice", "user-1-2.slice", "users-1.slice"}) {
    EXPECT_EQ(UidOfUserSlice(other), std::nullopt) << other;
  }
}

TEST(UnitPathTest, DashesOfASliceAreLevels) {
  EXPECT_EQ(PathOfUnit("system.slice"), "/system.slice");
  EXPECT_EQ(PathOfUnit("a-b-c.slice"), "/a.slice/a-b.slice/a-b-c.slice");
  EXPECT_EQ(PathOfUnit("system-getty.slice"),
            "/system.slice/system-getty.slice");
  EXPECT_EQ(PathOfUnit("a\\x2db.slice"), "/a\\x2db.slice");
}

TEST(UnitPathTest, OnlyTheManagerOfALoginSaysMoreByItsName) {
  EXPECT_EQ(PathOfUnit("user@1001.service"),
            "/user.slice/user-1001.slice/user@1001.service");
  EXPECT_EQ(PathOfUnit("nginx.service"), std::nullopt);
  EXPECT_EQ(PathOfUnit("getty@1001.service"), std::nullopt);
}

}  // namespace
}  // namespace fairsched::kernel
