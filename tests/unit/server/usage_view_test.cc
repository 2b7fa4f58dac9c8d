// SPDX-License-Identifier: Apache-2.0
#include "server/usage_view.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/test_view.h"

namespace fairsched::server {
namespace {

using core::UserState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = UserEnforcement::Kind;

std::vector<std::string> Visited(const UsageView& view,
                                 const core::UserId& after) {
  std::vector<std::string> seen;
  VisitUsers(view, after, [&seen](const ViewedUser& user) {
    seen.push_back(user.id() + (user.decision != nullptr ? "+p" : "") +
                   (user.defined != nullptr ? "+d" : ""));
    return true;
  });
  return seen;
}

TEST(UsageViewTest, PresentAndDefinedUsersAreVisitedOnceEachInOrder) {
  TestView test;
  test.Add("b", UserState::kRunning);
  test.Add("c", UserState::kQuiet);
  test.Define("a", 1);
  test.Define("c", 2);
  test.Define("d", 3);
  EXPECT_THAT(Visited(test.View(), ""),
              ElementsAre("a+d", "b+p", "c+p+d", "d+d"));
  EXPECT_THAT(Visited(test.View(), "b"), ElementsAre("c+p+d", "d+d"));
  EXPECT_THAT(Visited(test.View(), "bb"), ElementsAre("c+p+d", "d+d"));
  EXPECT_THAT(Visited(test.View(), "d"), ElementsAre());
}

TEST(UsageViewTest, AVisitEndsWhenItsVisitorHasEnough) {
  TestView test;
  test.Define("a", 1);
  test.Define("b", 2);
  int visits = 0;
  VisitUsers(test.View(), "", [&visits](const ViewedUser&) {
    ++visits;
    return false;
  });
  EXPECT_EQ(visits, 1);
}

// One enforced user with one cgroup, inode 7.
class EnforcementOfTest : public ::testing::Test {
 protected:
  EnforcementOfTest() {
    user_ = &test_.Add("a", UserState::kRunning);
    user_->cgroups = {{.inode = 7}};
    test_.snapshot().enforcement = runtime::Enforcement::kEnforcing;
    test_.snapshot().applied.cgroups[7] = {.path = "/a"};
  }
  UserEnforcement Of() { return EnforcementOf(test_.snapshot(), *user_); }

  TestView test_;
  core::UserDecision* user_;
};

TEST_F(EnforcementOfTest, AllCgroupsAsWantedIsEnforced) {
  EXPECT_EQ(Of().kind, Kind::kEnforced);
}

TEST_F(EnforcementOfTest, ObservingOrSampledOrWithoutCgroupIsObserved) {
  user_->sampled = true;
  EXPECT_EQ(Of().kind, Kind::kObserved);
  user_->sampled = false;
  user_->cgroups.clear();
  EXPECT_EQ(Of().kind, Kind::kObserved);
  user_->cgroups = {{.inode = 8}};
  EXPECT_EQ(Of().kind, Kind::kObserved);
  test_.snapshot().enforcement = runtime::Enforcement::kObserving;
  user_->cgroups = {{.inode = 7}};
  EXPECT_EQ(Of().kind, Kind::kObserved);
}

TEST_F(EnforcementOfTest, AProblemOfOneCgroupIsTheUsers) {
  user_->cgroups = {{.inode = 7}, {.inode = 8}, {.inode = 9}};
  test_.snapshot().applied.cgroups[8] = {
      .path = "/b", .problem = runtime::NotEnforced::kGone};
  test_.snapshot().applied.cgroups[9] = {
      .path = "/c",
      .problem = runtime::NotEnforced::kOtherWriter,
      .problem_text = "cpu.weight of /c holds 5, not 100"};
  const UserEnforcement got = Of();
  EXPECT_EQ(got.kind, Kind::kNotEnforced);
  EXPECT_EQ(got.reason, runtime::NotEnforced::kOtherWriter);
  EXPECT_EQ(got.detail, "cpu.weight of /c holds 5, not 100");
}

TEST_F(EnforcementOfTest, AfterFailingOpenItIsNotEnforcedUnlessExempt) {
  test_.snapshot().enforcement = runtime::Enforcement::kReleased;
  test_.snapshot().last_error = absl::InternalError("no sample");
  const UserEnforcement got = Of();
  EXPECT_EQ(got.kind, Kind::kNotEnforced);
  EXPECT_EQ(got.reason, std::nullopt);
  EXPECT_THAT(got.detail, HasSubstr("no sample"));
  user_->state = UserState::kExempt;
  EXPECT_EQ(Of().kind, Kind::kObserved);
}

}  // namespace
}  // namespace fairsched::server
