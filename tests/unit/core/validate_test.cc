// SPDX-License-Identifier: Apache-2.0
#include "agent/core/validate.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

auto IsViolation(const char* field, const char* text) {
  return AllOf(Field(&Violation::field, field),
               Field(&Violation::problem, HasSubstr(text)));
}

TEST(ValidateTest, IdsAreShortLowerCaseNames) {
  for (const char* id : {"a", "alice", "uid-1001", "a1-b2"})
    EXPECT_TRUE(IsValidId(id)) << id;
  EXPECT_TRUE(IsValidId(std::string(63, 'a')));
  for (const char* id : {"", "1a", "-a", "a-", "Alice", "a_b", "a.b", "a/b",
                         "../x", "a b", "\xc3\xa4"}) {
    EXPECT_FALSE(IsValidId(id)) << id;
  }
  EXPECT_FALSE(IsValidId(std::string(64, 'a')));
}

TEST(ValidateTest, SharesAreIn1To10000) {
  for (const int32_t shares : {1, 100, 10000}) {
    EXPECT_THAT(CheckUser({.id = "a", .uids = {1}, .shares = shares}),
                IsEmpty());
  }
  for (const int32_t shares : {0, -1, 10001}) {
    EXPECT_THAT(CheckUser({.id = "a", .uids = {1}, .shares = shares}),
                ElementsAre(IsViolation("shares", "is not in 1..10000")));
  }
}

TEST(ValidateTest, AUserSelects1To64DistinctUids) {
  EXPECT_THAT(CheckUser({.id = "a"}),
              ElementsAre(IsViolation("selectors", "0 of them, not 1..64")));
  EXPECT_THAT(CheckUser({.id = "a", .uids = std::vector<int64_t>(65, 1)}),
              ::testing::Contains(IsViolation("selectors", "65 of them")));
  EXPECT_THAT(
      CheckUser({.id = "a", .uids = {1, 2, 1}}),
      ElementsAre(IsViolation("selectors[2].uid", "1 is selected twice")));
  EXPECT_THAT(
      CheckUser({.id = "a", .uids = {-1, 4294967295}}),
      ElementsAre(IsViolation("selectors[0].uid", "-1 is not in 0..4294967294"),
                  IsViolation("selectors[1].uid", "4294967295 is not in")));
}

TEST(ValidateTest, AnImplicitIdSelectsItsOwnUidOnly) {
  EXPECT_THAT(CheckUser({.id = "uid-7", .uids = {7}}), IsEmpty());
  EXPECT_THAT(CheckUser({.id = "uid-7", .uids = {8}}),
              ElementsAre(IsViolation("selectors", "only select the uid 7")));
  EXPECT_THAT(CheckUser({.id = "uid-7", .uids = {7, 8}}),
              ElementsAre(IsViolation("selectors", "only select the uid 7")));
}

TEST(ValidateTest, AUidBelongsToOneUserOnly) {
  const Policy policy({}, {{.id = "a", .uids = {1, 2}}});
  EXPECT_THAT(CheckAgainst({.id = "b", .uids = {3, 2}}, policy),
              ElementsAre(IsViolation("selectors[1].uid", "belongs to 'a'")));
  EXPECT_THAT(CheckAgainst({.id = "a", .uids = {2, 3}}, policy), IsEmpty());
}

TEST(ValidateTest, TheDefaultSettingsAreAllowed) {
  EXPECT_THAT(CheckSettings(Settings{}), IsEmpty());
}

struct SettingsCase {
  const char* name;
  Settings settings;
  const char* field;
  const char* text;
};

TEST(ValidateTest, EachSettingHasItsRange) {
  const SettingsCase kCases[] = {
      {"ZeroWindow", {.window = absl::ZeroDuration()}, "window", "0 is not in"},
      {"LongWindow", {.window = absl::Hours(10)}, "window", "10h is not in"},
      {"InfiniteWindow", {.window = absl::InfiniteDuration()}, "window", "inf"},
      {"ShortTick", {.tick = absl::Milliseconds(49)}, "tick", "49ms"},
      {"LongTick", {.tick = absl::Seconds(2)}, "tick", "2s"},
      {"FewTicks",
       {.window = absl::Seconds(1), .tick = absl::Milliseconds(200)},
       "window",
       "shorter than 10 ticks of 200ms"},
      {"Shares", {.default_shares = 0}, "default_shares", "0 is not in"},
      {"Floor", {.floor_millicpus = 1001}, "floor_millicpus", "not in 0..1000"},
      {"Range",
       {.uid_ranges = {{5, 4}}},
       "uid_ranges[0].last",
       "4 is not in 5"},
      {"Ranges",
       {.uid_ranges = std::vector<UidRange>(65)},
       "uid_ranges",
       "65 of them"},
      {"Exempt", {.exempt_uids = {-1}}, "exempt_uids[0]", "-1 is not in"},
  };
  for (const SettingsCase& c : kCases) {
    EXPECT_THAT(CheckSettings(c.settings),
                ElementsAre(IsViolation(c.field, c.text)))
        << c.name;
  }
}

}  // namespace
}  // namespace fairsched::core
