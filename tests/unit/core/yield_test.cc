// SPDX-License-Identifier: Apache-2.0
#include "agent/core/yield.h"

#include <map>
#include <string>
#include <utility>

#include "agent/core/engine.h"
#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

// What a user did in a span, in CPUs and as a part of the time.
struct Did {
  double cpus = 0, some = 1;
  int threads = 8;
};

// Users on two CPUs, each of whom did what the test says.
class YieldTest : public ::testing::Test {
 protected:
  // Both at their share for a while: even, and waiting.
  void BeEven() {
    for (int i = 0; i < 20; ++i) Tick({{"a", {1.0}}, {"b", {1.0}}});
  }

  void Tick(const std::map<std::string, Did>& did,
            absl::Duration elapsed = absl::Milliseconds(100)) {
    Use(did, elapsed);
    Sample sample{.at = at_, .node = {.cpus = 2, .busy = busy_}};
    for (const auto& [id, one] : did) {
      sample.users.push_back({.id = id,
                              .cgroups = {{.inode = Inode(id),
                                           .usage = usage_[id],
                                           .pressure_some = some_[id]}},
                              .threads = one.threads});
    }
    decision_ = Step(policy_, sample, state_);
  }

  std::vector<CgroupDecision> TrimAfter(const std::map<std::string, Did>& did,
                                        absl::Duration elapsed) {
    Use(did, elapsed);
    UseSample sample{.at = at_};
    for (const auto& [id, one] : did)
      sample.cgroups.push_back({.inode = Inode(id), .usage = usage_[id]});
    return Trim(sample, state_);
  }

  CpuValues Wanted(const std::string& id) const {
    for (const UserDecision& user : decision_.users) {
      if (user.id == id) return user.cgroups.at(0).wanted;
    }
    return {};
  }

  // The least that the kernel takes is as good as nothing.
  static bool Stops(const CpuValues& wanted) {
    return wanted.ceiling.has_value() &&
           wanted.ceiling->quota == CpuTime::Usec(1000);
  }
  bool IsStopped(const std::string& id) const { return Stops(Wanted(id)); }
  bool Yields(const std::string& id) const {
    return Wanted(id).idle || IsStopped(id);
  }
  absl::Duration at() const { return at_; }

  static uint64_t Inode(const std::string& id) {
    return static_cast<uint64_t>(id[0]);
  }

  State state_;
  Decision decision_;

 private:
  void Use(const std::map<std::string, Did>& did, absl::Duration elapsed) {
    at_ += elapsed;
    for (const auto& [id, one] : did) {
      usage_[id] += CpuTime::Of(one.cpus, elapsed);
      busy_ += CpuTime::Of(one.cpus, elapsed);
      some_[id] += CpuTime::Of(one.some, elapsed);
    }
  }

  const Policy policy_{Settings{.mode = Mode::kEnforce}, {}};
  absl::Duration at_;
  CpuTime busy_;
  std::map<std::string, CpuTime> usage_, some_;
};

TEST_F(YieldTest, WhoIsAheadYieldsUntilItIsEven) {
  BeEven();
  EXPECT_FALSE(Yields("b"));
  Tick({{"a", {0.4}}, {"b", {1.6}}});  // b is 60 ms ahead of the mean
  EXPECT_TRUE(Yields("b"));
  EXPECT_FALSE(Yields("a"));
  Tick({{"a", {1.2}}, {"b", {0.8}}});  // 40 ms
  EXPECT_TRUE(Yields("b"));
  Tick({{"a", {1.5}}, {"b", {0.5}}});
  EXPECT_FALSE(Yields("b"));
}

TEST_F(YieldTest, WhatItHasWhileItYieldsIsCharged) {
  BeEven();
  Tick({{"a", {0.0}}, {"b", {2.0}}});
  ASSERT_TRUE(Yields("b"));
  const CpuTime before = state_.users.at("b").balance;
  Tick({{"a", {1.9}}, {"b", {0.1}}});
  EXPECT_EQ(state_.users.at("b").balance, before - CpuTime::Usec(10000));
}

TEST_F(YieldTest, WhoSleepsBetweenDoesNotYield) {
  BeEven();
  // It ran for 60 % of the time and waited for 10 %: the weights do.
  Tick({{"a", {1.3}}, {"b", {0.6, 0.1}}});
  Tick({{"a", {0.5}}, {"b", {0.6, 0.1}}});
  state_.users.at("b").balance -= CpuTime::Usec(100000);
  Tick({{"a", {1.3}}, {"b", {0.6, 0.1}}});
  EXPECT_FALSE(Yields("b"));
}

TEST_F(YieldTest, WhereOthersFillInItIsStopped) {
  BeEven();
  Tick({{"a", {0.4}}, {"b", {1.6}}});  // a lacks 1.6 CPUs
  EXPECT_TRUE(IsStopped("b"));
  EXPECT_FALSE(IsStopped("a"));
}

TEST_F(YieldTest, WhereACpuWouldIdleItIsIdleItself) {
  BeEven();
  // All that a can run is one thread.
  Tick({{"a", {0.4, 0.6, 1}}, {"b", {1.6, 0.5}}});
  EXPECT_TRUE(Wanted("b").idle);
  EXPECT_FALSE(IsStopped("b"));
}

TEST_F(YieldTest, AllWhomOthersFillInForAreStoppedTheFurthestAheadFirst) {
  // Each has a third of two CPUs. One thread of a lacks 0.9 CPUs.
  for (int i = 0; i < 20; ++i)
    Tick({{"a", {0.66, 0.34, 1}}, {"b", {0.67}}, {"c", {0.67}}});
  Tick({{"a", {0.1, 0.9, 1}}, {"b", {0.8}}, {"c", {0.85}}},
       absl::Milliseconds(300));
  EXPECT_TRUE(IsStopped("c"));
  EXPECT_FALSE(IsStopped("b"));  // the lack is taken
  EXPECT_TRUE(Yields("b"));
  // Eight threads of it lack two: enough for both.
  Tick({{"a", {0.0}}, {"b", {0.9}}, {"c", {1.0}}});
  EXPECT_TRUE(IsStopped("b"));
  EXPECT_TRUE(IsStopped("c"));
}

TEST_F(YieldTest, WhoseStopLeavesACpuIdleIsNotStoppedForAWhile) {
  BeEven();
  absl::Duration stopped_at = at();
  // Whatever a seems to lack, it is pinned to one CPU.
  const auto stops_after = [&] {
    for (int i = 0; i < 1000; ++i) {
      const bool stopped = IsStopped("b");
      Tick({{"a", {1.0}}, {"b", {stopped ? 0.0 : 1.0}}});
      state_.users.at("b").balance -= CpuTime::Msec(50);
      if (!stopped && IsStopped("b")) {
        return absl::ToDoubleSeconds(at() - std::exchange(stopped_at, at()));
      }
    }
    return 0.0;
  };
  stops_after();
  EXPECT_NEAR(stops_after(), 2, 0.5);
  EXPECT_NEAR(stops_after(), 4, 0.5);
  EXPECT_NEAR(stops_after(), 8, 0.5);
  EXPECT_TRUE(IsStopped("b"));
  Tick({{"a", {1.0}}, {"b", {0.0}}});
  EXPECT_TRUE(Wanted("b").idle);
}

TEST_F(YieldTest, WhatIdlesAnywayIsNoReasonNotToStop) {
  // One CPU is nobody's: both users are confined to the other one.
  for (int i = 0; i < 20; ++i) Tick({{"a", {0.5}}, {"b", {0.5}}});
  Tick({{"a", {0.0}}, {"b", {1.0}}}, absl::Milliseconds(200));
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(IsStopped("b"));
    Tick({{"a", {1.0}}, {"b", {0.0}}});
    state_.users.at("b").balance -= CpuTime::Msec(100);
  }
}

TEST_F(YieldTest, WhatIdlesWhileOneIsStoppedIsLost) {
  BeEven();
  Tick({{"a", {0.0}}, {"b", {2.0}}});
  ASSERT_TRUE(IsStopped("b"));
  Tick({{"a", {1.0}}, {"b", {0.0}}});
  EXPECT_EQ(decision_.node.lost, CpuTime::Msec(100));
}

TEST_F(YieldTest, AloneNobodyYields) {
  for (int i = 0; i < 20; ++i) Tick({{"b", {2.0}}});
  EXPECT_FALSE(Yields("b"));
  EXPECT_TRUE(TrimAfter({{"b", {2.0}}}, absl::Milliseconds(25)).empty());
}

TEST_F(YieldTest, ATrimSeesWhatWasUsedSinceTheTick) {
  BeEven();
  const CpuTime balance = state_.users.at("b").balance;
  EXPECT_TRUE(
      TrimAfter({{"a", {1}}, {"b", {1}}}, absl::Milliseconds(25)).empty());
  // 58 ms ahead of the mean in 100 ms: no tick was needed to see it.
  const auto changes =
      TrimAfter({{"a", {0.2}}, {"b", {1.8}}}, absl::Milliseconds(73));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].inode, Inode("b"));
  EXPECT_TRUE(Stops(changes[0].wanted));
  EXPECT_EQ(state_.users.at("b").balance, balance);
  // Unchanged is not told again, and even again it is let go.
  EXPECT_TRUE(
      TrimAfter({{"a", {1}}, {"b", {1}}}, absl::Milliseconds(5)).empty());
  const auto back = TrimAfter({{"a", {2}}, {"b", {0}}}, absl::Milliseconds(65));
  ASSERT_EQ(back.size(), 1u);
  EXPECT_FALSE(Stops(back[0].wanted));
}

TEST_F(YieldTest, OneTickDoesNotMakeABusyUserOneThatSleeps) {
  BeEven();
  Tick({{"a", {1.0}}, {"b", {0.8, 0.12}}});  // its pressure came out too low
  const auto changes =
      TrimAfter({{"a", {0.0}}, {"b", {2.0}}}, absl::Milliseconds(50));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_TRUE(Stops(changes[0].wanted));
}

TEST_F(YieldTest, TwoTicksDo) {
  BeEven();
  Tick({{"a", {1.0}}, {"b", {0.8, 0.12}}});
  Tick({{"a", {1.0}}, {"b", {0.8, 0.12}}});
  EXPECT_TRUE(
      TrimAfter({{"a", {0.0}}, {"b", {2.0}}}, absl::Milliseconds(50)).empty());
}

TEST_F(YieldTest, ATrimThatLearnsNothingChangesNothing) {
  BeEven();
  EXPECT_TRUE(TrimAfter({}, absl::Milliseconds(50)).empty());
  EXPECT_TRUE(TrimAfter({{"z", {2}}}, absl::Milliseconds(10)).empty());
  // Before the tick: a clock that went back.
  EXPECT_TRUE(TrimAfter({{"b", {2}}}, -absl::Seconds(1)).empty());
}

}  // namespace
}  // namespace fairsched::core
