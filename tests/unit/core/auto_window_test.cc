// SPDX-License-Identifier: Apache-2.0
#include "agent/core/auto_window.h"

#include <deque>
#include <optional>

#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

// Users on two CPUs that want CPU, by the part of the node that is theirs.
class AutoWindowTest : public ::testing::Test {
 protected:
  AutoWindowTest() {
    tick_.at = absl::Seconds(1000);
    tick_.cpus = 2;
    state_.window = absl::Seconds(1);
  }
  void Add(double part, std::optional<int64_t> threads = std::nullopt,
           absl::Duration wanted_ago = {}) {
    samples_.push_back({.threads = threads});
    ledgers_.push_back({.part = part, .wanted_at = tick_.at - wanted_ago});
    tick_.users.push_back(
        {.sample = &samples_.back(), .ledger = &ledgers_.back()});
  }
  absl::Duration Next(Settings settings = {.window = {}}) {
    state_.window = NextWindow(Policy(settings, {}), tick_, state_);
    return state_.window;
  }
  std::deque<UserSample> samples_;
  std::deque<Ledger> ledgers_;
  Tick tick_;
  State state_;
};

TEST_F(AutoWindowTest, AFixedOneIsWhatItIs) {
  Add(0.001);
  EXPECT_EQ(Next({.window = absl::Seconds(7)}), absl::Seconds(7));
}

TEST_F(AutoWindowTest, NobodyNeedsMoreThanTheLeast) {
  EXPECT_EQ(Next(), absl::Seconds(1));
}

TEST_F(AutoWindowTest, HasTenTicksAtLeast) {
  EXPECT_EQ(Next({.window = {}, .tick = absl::Milliseconds(250)}),
            absl::Milliseconds(2500));
  EXPECT_EQ(Next({.window = {}, .tick = absl::Seconds(1)}), absl::Seconds(10));
}

TEST_F(AutoWindowTest, EachIsDueAQuantum) {
  for (int i = 0; i < 10; ++i) Add(0.1);
  // 0.5 s of CPU time of a tenth of two CPUs.
  EXPECT_EQ(Next(), absl::Milliseconds(2500));
  EXPECT_EQ(
      Next({.window = {}, .auto_window = {.quantum = CpuTime::Msec(800)}}),
      absl::Seconds(4));
}

TEST_F(AutoWindowTest, SleepersDoNotSizeIt) {
  Add(0.5);
  Add(0.001, 4, absl::Seconds(11));
  EXPECT_EQ(Next(), absl::Seconds(1));
}

TEST_F(AutoWindowTest, StaysInItsRange) {
  Add(0.0001);
  EXPECT_EQ(Next(), absl::Seconds(10));
  EXPECT_EQ(Next({.window = {}, .auto_window = {.max = absl::Seconds(30)}}),
            absl::Seconds(30));
}

TEST_F(AutoWindowTest, ShrinksByHalfInTenSecondsAndIgnoresSmallChanges) {
  Add(0.05);
  EXPECT_EQ(Next(), absl::Seconds(5));
  ledgers_[0].part = 0.045;
  EXPECT_EQ(Next(), absl::Seconds(5));
  ledgers_[0].part = 0.5;
  EXPECT_EQ(Next(), absl::Milliseconds(2500));
  tick_.at += absl::Seconds(9);
  ledgers_[0].wanted_at = tick_.at;
  EXPECT_EQ(Next(), absl::Milliseconds(2500));
  tick_.at += absl::Seconds(1);
  ledgers_[0].wanted_at = tick_.at;
  EXPECT_EQ(Next(), absl::Milliseconds(1250));
}

}  // namespace
}  // namespace fairsched::core
