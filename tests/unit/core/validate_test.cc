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
    EXPECT_THAT(
        CheckUser(
            {.id = "a", .selectors = UidSelectors({1}), .shares = shares}),
        IsEmpty());
  }
  for (const int32_t shares : {0, -1, 10001}) {
    EXPECT_THAT(
        CheckUser(
            {.id = "a", .selectors = UidSelectors({1}), .shares = shares}),
        ElementsAre(IsViolation("shares", "is not in 1..10000")));
  }
}

UserPolicy With(Limit limit) {
  return {.id = "a", .selectors = UidSelectors({1}), .limit = limit};
}

TEST(ValidateTest, LimitsAreIn10To10000000Millicpus) {
  for (const int64_t millicpus : {10, 400, 10'000'000}) {
    EXPECT_THAT(
        CheckUser(With({.kind = Limit::Kind::kCpus, .millicpus = millicpus})),
        IsEmpty());
  }
  for (const int64_t millicpus : {0, 9, -1, 10'000'001}) {
    EXPECT_THAT(
        CheckUser(With({.kind = Limit::Kind::kCpus, .millicpus = millicpus})),
        ElementsAre(IsViolation("limit.millicpus", "is not in 10..10000000")));
  }
}

TEST(ValidateTest, ABurstIsAtMostWhatTheLimitGivesInASecond) {
  Limit limit = {.kind = Limit::Kind::kCpus,
                 .millicpus = 400,
                 .burst = CpuTime::Msec(400)};
  EXPECT_THAT(CheckUser(With(limit)), IsEmpty());
  limit.burst = CpuTime::Msec(401);
  EXPECT_THAT(CheckUser(With(limit)),
              ElementsAre(IsViolation("limit.burst", "is not in 0..400ms")));
  limit.burst = CpuTime::Msec(-1);
  EXPECT_THAT(CheckUser(With(limit)),
              ElementsAre(IsViolation("limit.burst", "-1ms is not in")));
}

TEST(ValidateTest, BurstAndStealNeedALimit) {
  EXPECT_THAT(CheckUser(With({.burst = CpuTime::Msec(1),
                              .steal = Steal{.unlimited = true}})),
              ElementsAre(IsViolation("limit.burst", "without a limit"),
                          IsViolation("limit.steal", "without a limit")));
  EXPECT_THAT(
      CheckUser(With({.kind = Limit::Kind::kEntitlement,
                      .steal = Steal{.per_second = CpuTime::Msec(-1)}})),
      ElementsAre(IsViolation("limit.steal.per_second", "-1ms")));
}

TEST(ValidateTest, NiceIsInItsRange) {
  for (const int32_t nice : {-21, 20}) {
    EXPECT_THAT(
        CheckUser({.id = "a", .selectors = UidSelectors({1}), .nice = nice}),
        ElementsAre(IsViolation("nice", "is not in -20..19")));
  }
}

TEST(ValidateTest, AGroupIsCheckedByItself) {
  EXPECT_THAT(CheckGroup({.id = "staff"}), IsEmpty());
  EXPECT_THAT(CheckGroup({.id = "root", .shares = 0, .limit_millicpus = 9}),
              ElementsAre(IsViolation("name", "holds all"),
                          IsViolation("shares", "0 is not in"),
                          IsViolation("limit_millicpus", "9 is not in")));
}

TEST(ValidateTest, GroupsMakeATreeOfAtMostEight) {
  std::vector<GroupPolicy> groups = {{.id = "g1"}};
  for (int i = 2; i <= 8; ++i) {
    groups.push_back(
        {.id = "g" + std::to_string(i), .parent = "g" + std::to_string(i - 1)});
  }
  const Policy policy({}, {}, groups);
  EXPECT_THAT(CheckParent({.id = "x", .parent = "g7"}, policy), IsEmpty());
  EXPECT_THAT(CheckParent({.id = "x", .parent = "g8"}, policy),
              ElementsAre(IsViolation("parent", "9 deep, more than 8")));
  EXPECT_THAT(CheckParent({.id = "x", .parent = "y"}, policy),
              ElementsAre(IsViolation("parent", "'y' is not defined")));
  EXPECT_THAT(CheckParent({.id = "g3", .parent = "g5"}, policy),
              ElementsAre(IsViolation("parent", "'g5' is below it")));
  EXPECT_THAT(CheckParent({.id = "g3", .parent = "g3"}, policy),
              ElementsAre(IsViolation("parent", "is below it")));
  // With what is below it, it would be too deep.
  EXPECT_THAT(CheckParent({.id = "g1", .parent = "z"},
                          Policy({}, {},
                                 [groups] {
                                   auto more = groups;
                                   more.push_back({.id = "z"});
                                   return more;
                                 }())),
              ElementsAre(IsViolation("parent", "9 deep")));
  EXPECT_THAT(CheckGroupOf({.id = "a", .group = "g9"}, policy),
              ElementsAre(IsViolation("group", "'g9' is not defined")));
}

TEST(ValidateTest, AnAutoWindowHasARangeOfItsOwn) {
  EXPECT_THAT(CheckSettings({.window = {}}), IsEmpty());
  EXPECT_THAT(CheckSettings({.window = {},
                             .auto_window = {.min = absl::Seconds(9),
                                             .max = absl::Seconds(8)}}),
              ElementsAre(IsViolation("auto_window.max", "8s is not in 9s")));
  EXPECT_THAT(CheckSettings({.window = {}, .auto_window = {.min = {}}}),
              ElementsAre(IsViolation("auto_window.min", "0 is not in 1s")));
}

TEST(ValidateTest, AUserSelects1To64DistinctUids) {
  EXPECT_THAT(CheckUser({.id = "a"}),
              ElementsAre(IsViolation("selectors", "0 of them, not 1..64")));
  EXPECT_THAT(
      CheckUser(
          {.id = "a", .selectors = UidSelectors(std::vector<int64_t>(65, 1))}),
      ::testing::Contains(IsViolation("selectors", "65 of them")));
  EXPECT_THAT(
      CheckUser({.id = "a", .selectors = UidSelectors({1, 2, 1})}),
      ElementsAre(IsViolation("selectors[2].uid", "1 is selected twice")));
  EXPECT_THAT(
      CheckUser({.id = "a", .selectors = UidSelectors({-1, 4294967295})}),
      ElementsAre(IsViolation("selectors[0].uid", "-1 is not in 0..4294967294"),
                  IsViolation("selectors[1].uid", "4294967295 is not in")));
}

TEST(ValidateTest, AnImplicitIdSelectsItsOwnUidOnly) {
  EXPECT_THAT(CheckUser({.id = "uid-7", .selectors = UidSelectors({7})}),
              IsEmpty());
  EXPECT_THAT(CheckUser({.id = "uid-7", .selectors = UidSelectors({8})}),
              ElementsAre(IsViolation("selectors", "only select the uid 7")));
  EXPECT_THAT(CheckUser({.id = "uid-7", .selectors = UidSelectors({7, 8})}),
              ElementsAre(IsViolation("selectors", "only select the uid 7")));
}

TEST(ValidateTest, AUidBelongsToOneUserOnly) {
  const Policy policy({}, {{.id = "a", .selectors = UidSelectors({1, 2})}});
  EXPECT_THAT(
      CheckAgainst({.id = "b", .selectors = UidSelectors({3, 2})}, policy),
      ElementsAre(IsViolation("selectors[1].uid", "belongs to 'a'")));
  EXPECT_THAT(
      CheckAgainst({.id = "a", .selectors = UidSelectors({2, 3})}, policy),
      IsEmpty());
}

TEST(ValidateTest, TheDefaultSettingsAreAllowed) {
  EXPECT_THAT(CheckSettings(Settings{}), IsEmpty());
}

TEST(ValidateTest, AnAutoWindowMakesRoomForEveryTick) {
  for (const auto tick : {kMinTick, absl::Milliseconds(250), kMaxTick})
    EXPECT_THAT(CheckSettings({.tick = tick}), IsEmpty()) << tick;
}

struct SettingsCase {
  const char* name;
  Settings settings;
  const char* field;
  const char* text;
};

TEST(ValidateTest, EachSettingHasItsRange) {
  const SettingsCase kCases[] = {
      {"ShortWindow",
       {.window = absl::Milliseconds(999)},
       "window",
       "999ms is not in"},
      {"ShortInterval",
       {.interval = absl::Microseconds(999)},
       "interval",
       "999us is not in"},
      {"LongWindow", {.window = absl::Hours(10)}, "window", "10h is not in"},
      {"InfiniteWindow", {.window = absl::InfiniteDuration()}, "window", "inf"},
      {"ShortTick", {.tick = absl::Milliseconds(49)}, "tick", "49ms"},
      {"LongTick", {.tick = absl::Seconds(2)}, "tick", "2s"},
      {"FewTicks",
       {.window = absl::Seconds(1), .tick = absl::Milliseconds(200)},
       "window",
       "shorter than 10 ticks of 200ms"},
      {"AutoWindowTooShortForItsTicks",
       {.window = {},
        .auto_window = {.min = absl::Seconds(1), .max = absl::Seconds(4)},
        .tick = absl::Milliseconds(500)},
       "auto_window.max",
       "4s is shorter than 10 ticks of 500ms"},
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

TEST(ValidateTest, EverySelectorIsCheckedAndNamedByItsKind) {
  const Violations found =
      CheckUser({.id = "a",
                 .selectors = {UidSelector(1), UnitSelector("x"),
                               CgroupSelector("a"), CgroupSelector("a")}});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].field, "selectors[1].unit");
  EXPECT_EQ(found[1].field, "selectors[3].cgroup");
  EXPECT_EQ(found[1].problem, "a is selected twice");
}

TEST(ValidateTest, WhatOneUserSelectsNoOtherMay) {
  const Policy policy({},
                      {{.id = "a", .selectors = {UnitSelector("x.service")}}});
  const Violations found = CheckAgainst(
      {.id = "b", .selectors = {UidSelector(1), UnitSelector("x.service")}},
      policy);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].field, "selectors[1].unit");
  EXPECT_EQ(found[0].problem, "x.service belongs to 'a' already");
}

TEST(ValidateTest, AUnixGroupIsOneUsersAndNotThatOfALoginOfItsName) {
  const Policy policy({}, {{.id = "a", .selectors = {UnixGroupSelector("x")}}});
  EXPECT_THAT(
      CheckAgainst({.id = "b", .selectors = {UnixGroupSelector("x")}}, policy),
      ElementsAre(IsViolation("selectors[0].unix_group", "belongs to 'a'")));
  EXPECT_THAT(
      CheckAgainst({.id = "b", .selectors = {LoginSelector("x")}}, policy),
      IsEmpty());
}

}  // namespace
}  // namespace fairsched::core
