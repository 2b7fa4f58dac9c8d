// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <memory>
#include <string>

#include "agent/runtime/checkpoint_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/daemon_checkpoints.h"
#include "tests/support/temp_dir.h"

namespace fairsched::server {
namespace {

class CheckpointKeeperTest : public ::testing::Test {
 protected:
  static std::shared_ptr<const core::Checkpoint> At(absl::Duration at) {
    core::Checkpoint checkpoint;
    checkpoint.at = at;
    return std::make_shared<const core::Checkpoint>(checkpoint);
  }
  // A daemon that ends with accounts as of `at`.
  void Live(absl::Duration at) {
    CheckpointKeeper keeper(path_, "boot-1");
    Load(keeper);
    keeper.Start([at] { return At(at); },
                 [this](const absl::Status& status) { failure_ = status; });
    keeper.Stop();
  }
  std::optional<core::Checkpoint> Load(CheckpointKeeper& keeper,
                                       absl::Duration now = absl::Seconds(50)) {
    problem_ = absl::OkStatus();
    return keeper.Load(now, &problem_);
  }
  std::optional<core::Checkpoint> LoadAnew(
      const std::string& boot_id = "boot-1",
      absl::Duration now = absl::Seconds(50)) {
    CheckpointKeeper keeper(path_, boot_id);
    return Load(keeper, now);
  }
  void Spoil(const std::string& suffix) {
    std::ofstream(path_ + suffix, std::ios::trunc) << "fairsched-check";
  }

  testing::TempDir dir_;
  const std::string path_ = dir_ / "checkpoint";
  absl::Status problem_, failure_;
};

TEST_F(CheckpointKeeperTest, TheLastOneIsFound) {
  EXPECT_EQ(LoadAnew(), std::nullopt);
  EXPECT_TRUE(problem_.ok());
  for (int i = 10; i < 15; ++i) {
    Live(absl::Seconds(i));
    EXPECT_EQ(LoadAnew()->at, absl::Seconds(i));
  }
  EXPECT_TRUE(failure_.ok());
}

TEST_F(CheckpointKeeperTest, IfTheLastOneIsTornTheOneBeforeIs) {
  Live(absl::Seconds(10));
  Live(absl::Seconds(11));
  Spoil(".1");
  EXPECT_EQ(LoadAnew()->at, absl::Seconds(10));
  EXPECT_TRUE(absl::IsFailedPrecondition(problem_));
  // The whole one is not the one that is written next.
  Live(absl::Seconds(12));
  Spoil(".1");
  EXPECT_EQ(LoadAnew()->at, absl::Seconds(10));
}

TEST_F(CheckpointKeeperTest, AnotherBootsAndAnOldOneSayNothing) {
  Live(absl::Seconds(10));
  EXPECT_EQ(LoadAnew("boot-2"), std::nullopt);
  EXPECT_TRUE(problem_.ok());
  EXPECT_EQ(LoadAnew("boot-1", absl::Minutes(11)), std::nullopt);
  EXPECT_EQ(LoadAnew("boot-1", absl::Seconds(5)), std::nullopt);
  EXPECT_NE(LoadAnew("boot-1", absl::Seconds(10)), std::nullopt);
}

TEST_F(CheckpointKeeperTest, WhatCantBeWrittenIsTold) {
  CheckpointKeeper keeper("/proc/no/checkpoint", "boot-1");
  keeper.Start([] { return At(absl::Seconds(1)); },
               [this](const absl::Status& status) { failure_ = status; });
  keeper.Stop();
  EXPECT_FALSE(failure_.ok());
}

}  // namespace
}  // namespace fairsched::server
