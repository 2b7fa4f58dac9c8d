// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/control_loop.h"

#include <atomic>
#include <memory>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_clock.h"

namespace fairsched::runtime {
namespace {

using testing::FakeClock;
using ::testing::HasSubstr;

// Two users on two CPUs, each of whom used what the test says.
class Node final : public Sampler, public Actuator {
 public:
  absl::StatusOr<core::Sample> Take(const core::Policy&,
                                    absl::Duration now) override {
    if (!error.ok()) return error;
    core::Sample sample{.at = frozen.value_or(now), .node = {.cpus = 2}};
    // Both are busy and wait, from the second sample on, if they compete.
    const auto waited =
        compete ? core::CpuTime::Of(1, sample.at) : core::CpuTime();
    for (uint64_t inode = 1; inode <= 2; ++inode) {
      sample.users.push_back({.id = inode == 1 ? "a" : "b",
                              .cgroups = {{.inode = inode,
                                           .usage = waited,
                                           .pressure_some = waited}},
                              .threads = 4});
    }
    sample.node.busy = waited + waited;
    return sample;
  }

  core::UseSample TakeUse(const std::vector<uint64_t>& inodes,
                          absl::Duration now) override {
    ++uses;
    core::UseSample sample{.at = now};
    for (const uint64_t inode : inodes) {
      sample.cgroups.push_back(
          {.inode = inode,
           .usage = core::CpuTime::Of(1, now) +
                    (inode == 2 ? ahead : core::CpuTime())});
    }
    return sample;
  }

  void Adjust(const std::vector<core::CgroupDecision>& changes,
              absl::Duration) override {
    adjusted.insert(adjusted.end(), changes.begin(), changes.end());
  }

  ApplyReport Apply(const core::Decision& decision) override {
    ++applies;
    ApplyReport report;
    for (const core::UserDecision& user : decision.users) {
      AppliedCgroup cgroup{.values = user.cgroups[0].wanted};
      if (refuse > 0 && static_cast<int>(user.cgroups[0].inode) <= refuse)
        cgroup.problem = refuse_with;
      report.cgroups[user.cgroups[0].inode] = cgroup;
    }
    return report;
  }

  ApplyReport Release() override {
    ++releases;
    return {.failed_writes = failed_releases-- > 0 ? 1 : 0};
  }

  absl::Status error;
  std::optional<absl::Duration> frozen;
  int refuse = 0;  // the values of so many cgroups
  NotEnforced refuse_with = NotEnforced::kPermission;
  int failed_releases = 0;  // before one works
  int applies = 0, releases = 0, uses = 0;
  bool compete = false;
  core::CpuTime ahead;  // of b, between ticks
  std::vector<core::CgroupDecision> adjusted;
};

std::shared_ptr<const core::Policy> Make(core::Mode mode) {
  return std::make_shared<const core::Policy>(core::Settings{.mode = mode},
                                              std::vector<core::UserPolicy>{});
}

class ControlLoopTest : public ::testing::Test {
 protected:
  void Tick(int times = 1) {
    for (int i = 0; i < times; ++i) {
      clock_.Advance(absl::Milliseconds(100));
      loop_.Tick();
    }
  }

  FakeClock clock_;
  Node node_;
  ControlLoop loop_{{.clock = clock_, .sampler = node_, .actuator = node_},
                    Make(core::Mode::kEnforce)};
};

TEST_F(ControlLoopTest, BeforeTheFirstTickThereIsAnEmptySnapshot) {
  const auto snapshot = loop_.Latest();
  ASSERT_NE(snapshot, nullptr);
  EXPECT_EQ(snapshot->stats.ticks, 0u);
  EXPECT_NE(snapshot->policy, nullptr);
  EXPECT_NE(snapshot->windows, nullptr);
}

TEST_F(ControlLoopTest, ATickSamplesDecidesAndApplies) {
  Tick();
  const auto snapshot = loop_.Latest();
  EXPECT_EQ(snapshot->enforcement, Enforcement::kEnforcing);
  EXPECT_EQ(snapshot->decision.users.size(), 2u);
  EXPECT_EQ(snapshot->applied.cgroups.size(), 2u);
  EXPECT_EQ(snapshot->stats.ticks, 1u);
}

TEST_F(ControlLoopTest, ObservingWritesNothingAndGivesBackOnce) {
  Tick();
  loop_.SetPolicy(Make(core::Mode::kObserve));
  Tick(5);
  EXPECT_EQ(node_.applies, 1);
  EXPECT_EQ(node_.releases, 1);
  EXPECT_EQ(loop_.Latest()->enforcement, Enforcement::kObserving);
}

TEST_F(ControlLoopTest, ThreeTicksWithoutASampleFailOpenUntilOneWorks) {
  Tick();
  node_.error = absl::UnavailableError("no counters");
  Tick(2);
  EXPECT_EQ(node_.releases, 0);
  Tick();
  EXPECT_EQ(node_.releases, 1);
  EXPECT_EQ(loop_.Latest()->enforcement, Enforcement::kReleased);
  EXPECT_EQ(loop_.Latest()->stats.failed_ticks, 3u);
  EXPECT_EQ(loop_.Latest()->stats.releases, 1u);
  EXPECT_THAT(loop_.Latest()->last_error.message(), HasSubstr("no counters"));
  Tick(10);
  EXPECT_EQ(node_.releases, 1);

  node_.error = absl::OkStatus();
  Tick();
  EXPECT_EQ(loop_.Latest()->enforcement, Enforcement::kEnforcing);
  EXPECT_TRUE(loop_.Latest()->last_error.ok());
}

TEST_F(ControlLoopTest, OneUserThatIsRefusedFreesNobody) {
  node_.refuse = 1;
  Tick(20);
  EXPECT_EQ(node_.releases, 0);
}

TEST_F(ControlLoopTest, MostCgroupsRefusedFailOpen) {
  node_.refuse = 2;
  Tick(3);
  EXPECT_EQ(node_.releases, 1);
  EXPECT_EQ(loop_.Latest()->enforcement, Enforcement::kReleased);
  EXPECT_FALSE(loop_.Latest()->last_error.ok());
}

TEST_F(ControlLoopTest, AnotherWriterDoesNotGetRidOfUs) {
  node_.refuse = 2;
  node_.refuse_with = NotEnforced::kOtherWriter;
  Tick(20);
  EXPECT_EQ(node_.releases, 0);
}

TEST_F(ControlLoopTest, WhatCouldNotBeGivenBackIsTriedAgain) {
  Tick();
  node_.failed_releases = 2;
  loop_.SetPolicy(Make(core::Mode::kObserve));
  Tick(10);
  EXPECT_EQ(node_.releases, 3);
}

TEST_F(ControlLoopTest, LatenessIsNoFailure) {
  Tick();
  clock_.Advance(absl::Seconds(30));
  Tick();
  EXPECT_EQ(node_.releases, 0);
  EXPECT_EQ(loop_.Latest()->stats.overruns, 1u);
  EXPECT_EQ(loop_.Latest()->enforcement, Enforcement::kEnforcing);
}

TEST_F(ControlLoopTest, ASampleThatSaysNothingNewIsNoTickOfTheEngine) {
  node_.frozen = absl::Seconds(1);
  Tick(30);
  EXPECT_EQ(loop_.Latest()->decision.at, absl::Seconds(1));
  EXPECT_EQ(loop_.Latest()->decision.node.window_number, 1u);
}

TEST_F(ControlLoopTest, KeepsTheLastWindows) {
  Tick(100 * 20);
  const auto windows = loop_.Latest()->windows;
  ASSERT_EQ(windows->size(), Snapshot::kKeptWindows);
  EXPECT_EQ(windows->back().number, windows->front().number + 63);
}

TEST_F(ControlLoopTest, StopGivesBack) {
  Tick();
  loop_.Stop();
  EXPECT_EQ(node_.releases, 1);
  EXPECT_NE(loop_.Latest()->enforcement, Enforcement::kEnforcing);
}

TEST_F(ControlLoopTest, ReadersAndWritersOfThePolicyMayComeAtAnyTime) {
  std::atomic<bool> stop = false;
  std::thread reader([&] {
    while (!stop) {
      EXPECT_LE(loop_.Latest()->decision.users.size(), 2u);
      loop_.SetPolicy(Make(core::Mode::kEnforce));
    }
  });
  Tick(500);
  stop = true;
  reader.join();
  EXPECT_EQ(loop_.Latest()->stats.ticks, 500u);
}

TEST_F(ControlLoopTest, TrimsBetweenTicksWhileUsersCompete) {
  node_.compete = true;
  Tick(3);
  EXPECT_EQ(loop_.Pause(), absl::Milliseconds(25));
  const int applies = node_.applies;
  node_.ahead = core::CpuTime::Usec(200000);
  clock_.Advance(absl::Milliseconds(25));
  EXPECT_FALSE(loop_.Turn());
  EXPECT_EQ(node_.applies, applies);
  ASSERT_EQ(node_.adjusted.size(), 1u);
  EXPECT_EQ(node_.adjusted[0].inode, 2u);
  EXPECT_TRUE(node_.adjusted[0].wanted.idle);
  for (int i = 0; i < 2; ++i) {
    clock_.Advance(absl::Milliseconds(25));
    EXPECT_FALSE(loop_.Turn());
  }
  clock_.Advance(absl::Milliseconds(25));
  EXPECT_TRUE(loop_.Turn());
  EXPECT_EQ(node_.applies, applies + 1);
}

TEST_F(ControlLoopTest, TrimsNothingWhileNobodyCompetesOrItOnlyObserves) {
  Tick(3);
  EXPECT_EQ(loop_.Pause(), absl::Milliseconds(100));
  clock_.Advance(absl::Milliseconds(25));
  EXPECT_FALSE(loop_.Turn());
  node_.compete = true;
  loop_.SetPolicy(Make(core::Mode::kObserve));
  Tick(3);
  EXPECT_EQ(loop_.Pause(), absl::Milliseconds(100));
  clock_.Advance(absl::Milliseconds(25));
  EXPECT_FALSE(loop_.Turn());
  EXPECT_EQ(node_.uses, 0);
}

TEST_F(ControlLoopTest, ALostControllerIsShownButFreesNobody) {
  node_.refuse = 2;
  node_.refuse_with = NotEnforced::kNoController;
  Tick(10);
  EXPECT_EQ(node_.releases, 0);
  EXPECT_EQ(WithoutController(loop_.Latest()->applied), 2);
  node_.refuse = 0;
  Tick();
  EXPECT_EQ(WithoutController(loop_.Latest()->applied), 0);
}

}  // namespace
}  // namespace fairsched::runtime
