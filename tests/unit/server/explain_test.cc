// SPDX-License-Identifier: Apache-2.0
#include "server/explain.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/test_view.h"

namespace fairsched::server {
namespace {

using core::CpuTime;
using core::UserState;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> ExplainIn(const TestView& test,
                                   const core::UserId& id) {
  const UsageView view = test.View();
  return Explain(view, *FindUser(view, id));
}

TEST(ExplainTest, AHeldUserIsToldWhatItMayUseWhatItUsedAndWhoWaits) {
  TestView test;
  core::UserDecision& user = test.Add("alice", UserState::kHeld);
  user.reason.text = "spent: 0.25 s over its 1.50 s, window ends in 1.5 s";
  user.entitlement_cpus = 0.75;
  user.entitlement = CpuTime::Msec(1500);
  user.balance = CpuTime::Msec(-250);
  user.used = CpuTime::Msec(1750);
  user.held = absl::Milliseconds(300);
  user.cpus = 0.5;
  user.demand_cpus = 2;
  user.cgroups = {{.inode = 7, .wanted = {.weight = 20, .idle = true}}};
  test.Add("bob", UserState::kRunning);
  test.Add("carol", UserState::kQuiet);
  test.node().contended = true;
  test.snapshot().enforcement = runtime::Enforcement::kEnforcing;
  test.snapshot().applied.cgroups[7] = {
      .path = "/users/alice",
      .values = core::CpuValues{.weight = 20, .idle = true}};

  EXPECT_THAT(
      ExplainIn(test, "alice"),
      ElementsAre(
          "It is held: spent: 0.25 s over its 1.50 s, window ends in 1.5 s.",
          "users/alice has 100 shares, which give it 0.75 CPUs: 1.50 s of CPU "
          "time in a window of 2.00 s.",
          "It used 1.75 s in this window and owes 0.25 s. It was demoted for "
          "0.30 s of it.",
          "It used 0.50 CPUs over the last second; in the last tick it could "
          "have used 2.00 CPUs.",
          "1 other user wants CPU: bob (running); somebody waits for it.",
          "The kernel was told cpu.weight 20 and cpu.idle 1 for /users/alice "
          "and holds cpu.weight 20 and cpu.idle 1.",
          "The window ends in 1.50 s at the latest; tokens are renewed then."));
}

TEST(ExplainTest, ALimitAboveTheNodeIsSaidToHoldNothing) {
  TestView test;
  core::UserDecision& user = test.Add("alice", UserState::kRunning);
  user.limit_cpus = 2;
  EXPECT_THAT(ExplainIn(test, "alice"), Not(Contains(HasSubstr("Its limit"))));
  user.limit_cpus = 2.5;
  EXPECT_THAT(ExplainIn(test, "alice"),
              Contains("Its limit of 2.50 CPUs is more than the node's 2.00, "
                       "and holds nothing."));
}

TEST(ExplainTest, AnObservedUserIsToldThatNothingIsWritten) {
  TestView test;
  test.Add("alice", UserState::kRunning).sampled = true;
  const auto lines = ExplainIn(test, "alice");
  EXPECT_THAT(lines, Contains("Nothing is written to the kernel: the mode is "
                              "observe."));
  EXPECT_THAT(lines, Contains(HasSubstr("misses short-lived ones")));
  EXPECT_THAT(lines, Contains("No other user wants CPU."));
}

TEST(ExplainTest, AUserThatIsNotEnforcedIsToldWhy) {
  TestView test;
  test.Add("alice", UserState::kRunning).cgroups = {{.inode = 7}};
  test.snapshot().enforcement = runtime::Enforcement::kEnforcing;
  test.snapshot().applied.cgroups[7] = {
      .problem = runtime::NotEnforced::kReadOnly,
      .problem_text = "write /a/cpu.weight: Read-only file system"};
  EXPECT_THAT(ExplainIn(test, "alice"),
              Contains("This is not enforced: write /a/cpu.weight: Read-only "
                       "file system."));
}

TEST(ExplainTest, OfManyOthersAFewAreNamed) {
  TestView test;
  for (const char* id : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    test.Add(id, UserState::kRunning);
  }
  EXPECT_THAT(
      ExplainIn(test, "a"),
      Contains("7 others want CPU: b (running), c (running), d (running), e "
               "(running), f (running), and 2 more; nobody has to wait for "
               "it."));
}

TEST(ExplainTest, AnAbsentUserIsToldWhatItWillHave) {
  TestView test;
  test.Define("alice", 1001);
  EXPECT_THAT(ExplainIn(test, "alice"),
              ElementsAre("users/alice has no process.",
                          "It has 100 shares, which count once it wants CPU.",
                          "It is uid 1001.", "No other user wants CPU."));
}

TEST(ExplainTest, AnExemptUserIsToldThatItIs) {
  TestView test;
  test.Add("uid-0", UserState::kExempt);
  EXPECT_THAT(ExplainIn(test, "uid-0"),
              Contains("users/uid-0 is exempt: never throttled, but "
                       "accounted."));
}

}  // namespace
}  // namespace fairsched::server
