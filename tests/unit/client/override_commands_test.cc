// SPDX-License-Identifier: Apache-2.0
#include "client/time.h"
#include "gmock/gmock.h"
#include "tests/unit/client/fairctl_fixture.h"

namespace fairsched::client {
namespace {

using ::testing::HasSubstr;

using OverrideCommandsTest = FairctlTest;

TEST_F(OverrideCommandsTest, RestrictLimitsForSoLong) {
  daemon_.set_expire_time.set_seconds(1'700'003'600);
  EXPECT_EQ(Run({"restrict", "alice", "--limit", "0.5cpu", "--for", "1h",
                 "--why", "a runaway build"}),
            ExitCode::kDone);
  const v1::Override& override = daemon_.set_override.override();
  EXPECT_EQ(override.name(), "users/alice/override");
  EXPECT_EQ(override.restriction().millicpus(), 500);
  EXPECT_EQ(FromProto(override.ttl()), absl::Hours(1));
  EXPECT_EQ(override.why(), "a runaway build");
  EXPECT_EQ(out(), "alice: restricted to 500m until 2023-11-14 23:13:20\n");
}

TEST_F(OverrideCommandsTest, WhatIsNotGivenIsLeftToTheDaemon) {
  EXPECT_EQ(Run({"restrict", "users/alice", "--for", "90s"}), ExitCode::kDone);
  EXPECT_TRUE(daemon_.set_override.override().has_restriction());
  EXPECT_FALSE(daemon_.set_override.override().restriction().has_millicpus());
  EXPECT_EQ(Run({"boost", "uid-1001", "--for", "1h"}), ExitCode::kDone);
  EXPECT_TRUE(daemon_.set_override.override().has_boost());
  EXPECT_FALSE(daemon_.set_override.override().boost().has_factor());
}

TEST_F(OverrideCommandsTest, BoostAndExemptSayWhatHolds) {
  EXPECT_EQ(Run({"boost", "alice", "--factor", "8", "--for", "1h"}),
            ExitCode::kDone);
  EXPECT_EQ(daemon_.set_override.override().boost().factor(), 8);
  EXPECT_THAT(out(), HasSubstr("alice: 8 times its shares until "));
  EXPECT_EQ(Run({"exempt", "alice", "--for", "1h"}), ExitCode::kDone);
  EXPECT_TRUE(daemon_.set_override.override().has_exempt());
  EXPECT_THAT(out(), HasSubstr("alice: exempt until "));
}

TEST_F(OverrideCommandsTest, ClearNamesTheOverride) {
  EXPECT_EQ(Run({"clear", "alice"}), ExitCode::kDone);
  EXPECT_EQ(daemon_.clear_override.name(), "users/alice/override");
  EXPECT_EQ(out(), "cleared alice\n");
}

TEST_F(OverrideCommandsTest, ItMustEndAndItsValuesMustBeReadable) {
  const std::vector<std::vector<std::string>> wrong = {
      {"restrict", "alice"},
      {"exempt", "--for", "1h"},
      {"restrict", "alice", "--for", "soon"},
      {"restrict", "alice", "--for", "1h", "--limit", "nan"},
      {"boost", "alice", "--for", "1h", "--factor", "4x"},
      {"exempt", "alice", "--for", "1h", "--factor", "4"},
      {"clear"}};
  for (const std::vector<std::string>& arguments : wrong)
    EXPECT_EQ(Run(arguments), ExitCode::kUsage) << arguments.back();
  EXPECT_EQ(daemon_.calls, 0);
}

}  // namespace
}  // namespace fairsched::client
