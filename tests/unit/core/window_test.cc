// SPDX-License-Identifier: Apache-2.0
#include "agent/core/window.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>

#include "agent/core/entitlement.h"
#include "agent/core/groups.h"
#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(100);
constexpr absl::Duration kWindow = absl::Seconds(1);

// Users "a", "b", ... of equal shares on two CPUs, one tick into a window.
class WindowTest : public ::testing::Test {
 protected:
  WindowTest() {
    state_.window = kWindow;
    state_.window_number = 1;
    state_.window_start = absl::Seconds(10);
    tick_.elapsed = kTick;
    tick_.at = state_.window_start + kTick;
    tick_.cpus = 2;
    tick_.capacity = CpuTime::Of(2, kTick);
    BeginGroups(policy_, tick_, state_);
  }

  // A user that has used 100 ms in this tick and waits for more.
  TickUser& Add(const char* id, int64_t balance_ms) {
    samples_.push_back({.id = id});
    ledgers_.push_back({.balance = CpuTime::Msec(balance_ms),
                        .entitlement = CpuTime::Msec(1000),
                        .shares = 100,
                        .active = true,
                        .wanted_at = tick_.at,
                        .admitted = true});
    tick_.users.push_back({.sample = &samples_.back(),
                           .ledger = &ledgers_.back(),
                           .use = CpuTime::Msec(100),
                           .waiting = true,
                           .wanting = true});
    return tick_.users.back();
  }
  TickUser& User(const std::string& id) {
    return *std::ranges::find_if(
        tick_.users, [&](const TickUser& u) { return u.sample->id == id; });
  }
  int64_t BalanceMs(const std::string& id) {
    return User(id).ledger->balance.usec() / 1000;
  }
  std::optional<WindowReport> Renew() {
    JudgeSpent(tick_);
    return RenewIfOver(policy_, tick_, state_);
  }
  void PassTheWindow() { tick_.at = state_.window_start + kWindow; }

  Policy policy_{{.window = kWindow}, {}};
  std::deque<UserSample> samples_;
  std::deque<Ledger> ledgers_;
  Tick tick_;
  State state_;
};

TEST_F(WindowTest, UseIsChargedWhileAnotherUserWaits) {
  Add("a", 500);
  Add("b", 500);
  Charge(policy_, tick_, state_);
  EXPECT_EQ(BalanceMs("a"), 400);
  EXPECT_EQ(User("a").ledger->surplus, CpuTime());
}

TEST_F(WindowTest, AloneOnlyWhatIsDueIsChargedAndTheRestIsSurplus) {
  Add("a", 500).use = CpuTime::Msec(180);
  Add("b", 500).waiting = false;
  Charge(policy_, tick_, state_);
  EXPECT_EQ(BalanceMs("a"), 400);
  EXPECT_EQ(User("a").ledger->surplus, CpuTime::Msec(80));
  EXPECT_EQ(BalanceMs("b"), 400);
}

TEST_F(WindowTest, LeftoversOfTheDemotedAreFreeWhileNobodyStarves) {
  Add("a", -500).ledger->demoted = true;
  Add("b", 500);
  Charge(policy_, tick_, state_);
  EXPECT_EQ(BalanceMs("a"), -500);
  EXPECT_EQ(User("a").ledger->surplus, CpuTime::Msec(100));
}

TEST_F(WindowTest, WhatLeaksToTheDemotedWhileSomebodyStarvesIsCharged) {
  Add("a", -500).ledger->demoted = true;
  Add("b", 500).hungry = true;
  JudgeSpent(tick_);
  Charge(policy_, tick_, state_);
  EXPECT_EQ(BalanceMs("a"), -600);
}

TEST_F(WindowTest, ADebtIsKeptWholeAtTheWindowsLength) {
  Add("a", -5000);
  Add("b", 0);
  PassTheWindow();
  ASSERT_TRUE(Renew().has_value());
  EXPECT_EQ(BalanceMs("a"), -4000);
}

TEST_F(WindowTest, WhoSleptDoesNotHoard) {
  TickUser& a = Add("a", 900);
  a.waiting = a.wanting = false;
  Add("b", 0);
  PassTheWindow();
  ASSERT_TRUE(Renew().has_value());
  EXPECT_EQ(BalanceMs("a"), 1000);
}

TEST_F(WindowTest, WhoWasRefusedKeepsItsClaim) {
  Ledger& a = *Add("a", 400).ledger;
  a.unmet = CpuTime::Msec(700);
  a.due = CpuTime::Msec(1000);
  a.got = CpuTime::Msec(600);
  Add("b", -400);
  PassTheWindow();
  ASSERT_TRUE(Renew().has_value());
  EXPECT_EQ(BalanceMs("a"), 1400);
}

TEST_F(WindowTest, WhatTheWaitingHoldInCommonIsDropped) {
  for (const char* id : {"a", "b"}) {
    Ledger& ledger = *Add(id, id[0] == 'a' ? 600 : 400).ledger;
    ledger.claim = CpuTime::Msec(1000);
  }
  PassTheWindow();
  ASSERT_TRUE(Renew().has_value());
  EXPECT_EQ(BalanceMs("a"), 1100);
  EXPECT_EQ(BalanceMs("b"), 900);
}

TEST_F(WindowTest, TheWindowRestartsAtOnceWhenAllThatLackCpuAreSpent) {
  Add("a", -100);
  Add("b", -300);
  const auto report = Renew();
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->end, WindowEnd::kAllSpent);
  EXPECT_EQ(report->length, kTick);
  EXPECT_EQ(BalanceMs("a"), 900);
  EXPECT_EQ(BalanceMs("b"), 700);
}

TEST_F(WindowTest, ASatisfiedUserWithTokensBlocksNoRestart) {
  Add("a", 900).waiting = false;
  Add("b", -100);
  EXPECT_EQ(Renew()->end, WindowEnd::kAllSpent);
}

TEST_F(WindowTest, AStarvingUserDoes) {
  Add("a", 900).hungry = true;
  Add("b", -100);
  EXPECT_FALSE(Renew().has_value());
}

TEST_F(WindowTest,
       AnEarlyRestartHandsOutSoManyEntitlementsThatSomebodyCanGoOn) {
  Add("a", -2500);
  Add("b", -4000);
  const auto report = Renew();
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->multiple, 3);
  EXPECT_EQ(BalanceMs("a"), 500);
  EXPECT_EQ(BalanceMs("b"), -1000);
}

TEST_F(WindowTest, NothingEndsAWindowInTheMiddle) {
  Add("a", 100);
  Add("b", 100);
  EXPECT_FALSE(Renew().has_value());
}

TEST_F(WindowTest, ANewcomerStartsWithWhatTheOthersHaveLeft) {
  Add("a", 300);
  Add("b", 500);
  TickUser& c = Add("c", 1000);
  c.woke = true;
  c.ledger->admitted = false;
  AdmitWakers(tick_);
  EXPECT_EQ(BalanceMs("c"), 400);
}

TEST_F(WindowTest, SleepingADebtAwayGainsNothing) {
  Add("a", 300);
  Add("b", -700).woke = true;
  AdmitWakers(tick_);
  EXPECT_EQ(BalanceMs("b"), -700);
}

TEST_F(WindowTest, SleepersDiluteNobody) {
  Add("a", 0);
  for (int i = 0; i < 100; ++i) Add("s", 0).ledger->active = false;
  Entitle(tick_, state_);
  EXPECT_EQ(User("a").ledger->entitlement, CpuTime::Msec(2000));
  EXPECT_EQ(User("s").ledger->entitlement, CpuTime::Msec(1000));
}

TEST_F(WindowTest, ABalanceKeepsItsRatioToTheEntitlement) {
  Add("a", 250);
  Entitle(tick_, state_);
  EXPECT_EQ(BalanceMs("a"), 500);
}

TEST_F(WindowTest, TheReportSaysHowItWent) {
  Ledger& a = *Add("a", -100).ledger;
  a.used = CpuTime::Msec(1100);
  a.held = kTick;
  PassTheWindow();
  const auto report = Renew();
  ASSERT_EQ(report->users.size(), 1u);
  EXPECT_EQ(report->end, WindowEnd::kExpired);
  EXPECT_EQ(report->users[0].used, CpuTime::Msec(1100));
  EXPECT_EQ(report->users[0].balance_before, CpuTime::Msec(-100));
  EXPECT_EQ(report->users[0].balance_after, User("a").ledger->balance);
  EXPECT_EQ(report->users[0].held, kTick);
  EXPECT_EQ(a.used, CpuTime());
}

}  // namespace
}  // namespace fairsched::core
