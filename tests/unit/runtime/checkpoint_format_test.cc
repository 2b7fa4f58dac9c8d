// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/checkpoint_format.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::runtime {
namespace {

using core::CpuTime;
using ::testing::HasSubstr;

core::Checkpoint Full() {
  core::Checkpoint checkpoint{
      .at = absl::Seconds(1234),
      .window = absl::Seconds(2),
      .window_age = absl::Milliseconds(700),
      .window_number = 99,
      .unmanaged_cpus = 0.25,
      .forecast_cpus = 1.5,
      .span = {.number = 12,
               .start = absl::Seconds(1233),
               .contended = true,
               .demand_known = false,
               .capacity = CpuTime::Usec(10),
               .lost = CpuTime::Usec(11),
               .largest_lag = absl::Milliseconds(12),
               .longest_starvation = absl::Milliseconds(13)},
      .users = {},
      .groups = {}};
  checkpoint.users.push_back({.id = "alice",
                              .balance = CpuTime::Usec(-123456),
                              .entitlement = CpuTime::Usec(2000000),
                              .claim = CpuTime::Usec(7),
                              .shares = 300,
                              .active = true,
                              .admitted = true,
                              .since_wanted = absl::Milliseconds(100),
                              .since_present = absl::ZeroDuration(),
                              .used = CpuTime::Usec(1),
                              .surplus = CpuTime::Usec(2),
                              .held = absl::Milliseconds(300),
                              .got = CpuTime::Usec(4),
                              .unmet = CpuTime::Usec(5),
                              .due = CpuTime::Usec(6),
                              .limit = {.begun = true,
                                        .tokens = CpuTime::Usec(-8),
                                        .room = CpuTime::Usec(9)},
                              .stolen = CpuTime::Usec(14),
                              .owed = CpuTime::Usec(15),
                              .interval_left = CpuTime::Usec(-27),
                              .since_interval = absl::Milliseconds(28),
                              .span = {.number = 12,
                                       .fair = CpuTime::Usec(16),
                                       .got = CpuTime::Usec(17),
                                       .demand = CpuTime::Usec(18),
                                       .had = CpuTime::Usec(19),
                                       .starving_for = absl::Milliseconds(20)},
                              .spans = {1, 0.25, 0.5}});
  checkpoint.users.push_back({.id = "uid-1001"});
  checkpoint.groups.push_back({.id = "g",
                               .limit = {.begun = true,
                                         .tokens = CpuTime::Usec(-21),
                                         .room = CpuTime::Usec(22)},
                               .owed = CpuTime::Usec(23),
                               .used = CpuTime::Usec(24),
                               .surplus = CpuTime::Usec(25),
                               .stolen = CpuTime::Usec(26)});
  checkpoint.groups.push_back({.id = "h"});
  return checkpoint;
}

TEST(CheckpointFormatTest, ReadsWhatItWrote) {
  const absl::StatusOr<core::Checkpoint> parsed =
      ParseCheckpoint("c", FormatCheckpoint(Full(), "boot-1"), "boot-1");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, Full());
}

TEST(CheckpointFormatTest, NoPartOfItIsTakenForAll) {
  const std::string text = FormatCheckpoint(Full(), "boot-1");
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_TRUE(absl::IsFailedPrecondition(
        ParseCheckpoint("c", text.substr(0, size), "boot-1").status()))
        << size;
  }
}

TEST(CheckpointFormatTest, NoByteOfItCanBeAnother) {
  const std::string text = FormatCheckpoint(Full(), "boot-1");
  for (size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = other[i] == '7' ? '8' : '7';
    EXPECT_FALSE(ParseCheckpoint("c", other, "boot-1").ok()) << i;
  }
}

TEST(CheckpointFormatTest, OfAnotherBootItSaysNothing) {
  EXPECT_TRUE(absl::IsNotFound(
      ParseCheckpoint("c", FormatCheckpoint(Full(), "boot-1"), "boot-2")
          .status()));
}

TEST(CheckpointFormatTest, ANewerOneAndAForeignOneAreNamed) {
  const std::string newer = absl::StrReplaceAll(
      FormatCheckpoint(Full(), "b"), {{"checkpoint 2", "checkpoint 3"}});
  EXPECT_THAT(std::string(ParseCheckpoint("c", newer, "b").status().message()),
              HasSubstr("only version 2"));
  EXPECT_THAT(
      std::string(ParseCheckpoint("c", "root:x:0", "b").status().message()),
      HasSubstr("c:1: this is no checkpoint"));
}

// With a checksum that is right.
TEST(CheckpointFormatTest, NumbersOutOfRangeAreRefused) {
  core::Checkpoint checkpoint = Full();
  checkpoint.window = absl::ZeroDuration();
  EXPECT_FALSE(
      ParseCheckpoint("c", FormatCheckpoint(checkpoint, "b"), "b").ok());
  checkpoint = Full();
  checkpoint.users[0].entitlement = CpuTime::Usec(-1);
  EXPECT_FALSE(
      ParseCheckpoint("c", FormatCheckpoint(checkpoint, "b"), "b").ok());
  checkpoint = Full();
  checkpoint.users[1].id = "alice";
  EXPECT_THAT(
      std::string(ParseCheckpoint("c", FormatCheckpoint(checkpoint, "b"), "b")
                      .status()
                      .message()),
      HasSubstr("c:4: users are not in order"));
  checkpoint = Full();
  checkpoint.groups[1].id = "g";
  EXPECT_THAT(
      std::string(ParseCheckpoint("c", FormatCheckpoint(checkpoint, "b"), "b")
                      .status()
                      .message()),
      HasSubstr("c:6: groups are not in order"));
  for (const double x : {-0.1, 1.1}) {
    checkpoint = Full();
    checkpoint.users[0].spans[1] = x;
    EXPECT_FALSE(
        ParseCheckpoint("c", FormatCheckpoint(checkpoint, "b"), "b").ok());
  }
  checkpoint = Full();
  checkpoint.users[0].spans.resize(11);
  EXPECT_FALSE(
      ParseCheckpoint("c", FormatCheckpoint(checkpoint, "b"), "b").ok());
}

}  // namespace
}  // namespace fairsched::runtime
