// SPDX-License-Identifier: Apache-2.0
#include "server/usage_service.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/paging.h"
#include "tests/integration/api_fixture.h"

namespace fairsched::server {
namespace {

using Stub = v1::UsageService::Stub;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class UsageServiceTest : public ApiFixture {
 protected:
  void SetMode(core::Mode mode) {
    ASSERT_TRUE(store_.UpdateSettings({.mode = mode}, {}).ok());
  }
  v1::UserUsage Get(const std::string& name) {
    v1::GetUserUsageRequest request;
    request.set_name(name);
    v1::UserUsage usage;
    const grpc::Status status =
        Call(usage_, &Stub::GetUserUsage, request, usage);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return usage;
  }
  std::vector<std::string> Page(v1::ListUserUsageRequest& request) {
    v1::ListUserUsageResponse page;
    EXPECT_TRUE(Call(usage_, &Stub::ListUserUsage, request, page).ok());
    request.set_page_token(page.next_page_token());
    std::vector<std::string> names;
    for (const auto& user : page.users()) names.push_back(user.user());
    return names;
  }
};

TEST_F(UsageServiceTest, APresentUserShowsWhatItUses) {
  node_.Set("uid-1001", {.cpus = 1.5, .threads = 2});
  Tick(20);

  const v1::UserUsage usage = Get("users/uid-1001");
  EXPECT_EQ(usage.uid(), 1001);
  EXPECT_EQ(usage.state(), v1::UserUsage::STATE_RUNNING);
  EXPECT_EQ(usage.shares(), 100);
  EXPECT_NEAR(usage.cpus(), 1.5, 0.01);
  EXPECT_EQ(usage.thread_count(), 2);
  EXPECT_NE(usage.reason(), "");
}

TEST_F(UsageServiceTest, ADefinedUserWithoutAProcessIsAbsent) {
  MustCreate("alice", 1001);
  const v1::UserUsage usage = Get("users/alice");
  EXPECT_EQ(usage.state(), v1::UserUsage::STATE_ABSENT);
  EXPECT_EQ(usage.reason_code(), v1::UserUsage::REASON_CODE_ABSENT);
  EXPECT_EQ(usage.uid(), 1001);
}

TEST_F(UsageServiceTest, AUserThatIsNeitherPresentNorDefinedIsNotFound) {
  v1::GetUserUsageRequest request;
  request.set_name("users/uid-1001");
  EXPECT_EQ(Fail(usage_, &Stub::GetUserUsage, request),
            (Failure{grpc::StatusCode::NOT_FOUND, "USER_NOT_FOUND", ""}));
  request.set_name("uid-1001");
  EXPECT_EQ(Fail(usage_, &Stub::GetUserUsage, request), BadField("name"));
}

TEST_F(UsageServiceTest, AListHasPresentAndDefinedUsersInOrderPageByPage) {
  MustCreate("b", 1001);
  MustCreate("d", 1002);
  for (const char* id : {"a", "b", "e"}) node_.Set(id, {.cpus = 0.1});
  Tick(2);
  v1::ListUserUsageRequest request;
  request.set_page_size(2);
  EXPECT_THAT(Page(request), ElementsAre("users/a", "users/b"));
  EXPECT_THAT(Page(request), ElementsAre("users/d", "users/e"));
  EXPECT_EQ(request.page_token(), "");
}

TEST_F(UsageServiceTest, AListOfUsageRefusesTheTokenOfAListOfUsers) {
  v1::ListUserUsageRequest request;
  request.set_page_token(PageToken("users", "alice"));
  EXPECT_EQ(Fail(usage_, &Stub::ListUserUsage, request),
            BadField("page_token"));
  request.Clear();
  request.set_page_size(-5);
  EXPECT_EQ(Fail(usage_, &Stub::ListUserUsage, request), BadField("page_size"));
}

TEST_F(UsageServiceTest, TheNodesCpusAddUpToItsCapacity) {
  node_.Set("uid-1001", {.cpus = 0.5});
  node_.Set("uid-0", {.cpus = 0.25});
  Tick(20);
  v1::ListUserUsageResponse page;
  ASSERT_TRUE(
      Call(usage_, &Stub::ListUserUsage, v1::ListUserUsageRequest(), page)
          .ok());
  const v1::NodeUsage& node = page.node();
  EXPECT_NEAR(node.capacity_cpus(), 2, 1e-6);
  EXPECT_NEAR(node.managed_cpus(), 0.5, 1e-3);
  EXPECT_NEAR(node.exempt_cpus(), 0.25, 1e-3);
  EXPECT_NEAR(node.managed_cpus() + node.exempt_cpus() + node.other_cpus() +
                  node.idle_cpus(),
              node.capacity_cpus(), 1e-6);
  EXPECT_EQ(node.window().seconds(), 1);
}

TEST_F(UsageServiceTest, WhileObservingNothingIsEnforced) {
  node_.Set("uid-1001", {.cpus = 1});
  Tick(3);
  EXPECT_EQ(Get("users/uid-1001").enforcement(),
            v1::UserUsage::ENFORCEMENT_OBSERVED);
}

TEST_F(UsageServiceTest, WhatTheKernelTookIsEnforced) {
  SetMode(core::Mode::kEnforce);
  node_.Set("uid-1001", {.cpus = 1});
  Tick(3);
  const v1::UserUsage usage = Get("users/uid-1001");
  EXPECT_EQ(usage.enforcement(), v1::UserUsage::ENFORCEMENT_ENFORCED);
  ASSERT_EQ(usage.kernel_values_size(), 1);
  EXPECT_EQ(usage.kernel_values(0).cgroup(), "/fairsched/users/uid-1001");
  EXPECT_EQ(usage.kernel_values(0).applied_weight(),
            usage.kernel_values(0).wanted_weight());
}

TEST_F(UsageServiceTest, WhatTheKernelRefusedIsNotEnforcedAndSaysWhy) {
  SetMode(core::Mode::kEnforce);
  node_.Set("uid-1001",
            {.cpus = 1, .problem = runtime::NotEnforced::kPermission});
  node_.Set("uid-1002", {.cpus = 0.5});
  Tick(3);
  const v1::UserUsage usage = Get("users/uid-1001");
  EXPECT_EQ(usage.enforcement(), v1::UserUsage::ENFORCEMENT_NOT_ENFORCED);
  EXPECT_EQ(usage.not_enforced_reason(),
            v1::UserUsage::NOT_ENFORCED_REASON_PERMISSION);
  EXPECT_THAT(usage.not_enforced_detail(), HasSubstr("cpu.weight: refused"));
  EXPECT_FALSE(usage.kernel_values(0).has_applied_weight());
}

TEST_F(UsageServiceTest, AfterFailingOpenNobodyIsEnforced) {
  SetMode(core::Mode::kEnforce);
  node_.Set("uid-1001", {.cpus = 1});
  Tick(3);
  node_.FailSamples(absl::InternalError("read /proc/stat: broken"));
  Tick(runtime::ControlLoop::kTicksToRelease);
  const v1::UserUsage usage = Get("users/uid-1001");
  EXPECT_EQ(usage.enforcement(), v1::UserUsage::ENFORCEMENT_NOT_ENFORCED);
  EXPECT_THAT(usage.not_enforced_detail(), HasSubstr("read /proc/stat"));
}

TEST_F(UsageServiceTest, WindowsAreListedTheNewestFirst) {
  node_.Set("uid-1001", {.cpus = 0.5});
  Tick(70);
  v1::ListWindowsRequest request;
  request.set_page_size(2);
  v1::ListWindowsResponse response;
  ASSERT_TRUE(Call(usage_, &Stub::ListWindows, request, response).ok());
  ASSERT_EQ(response.windows_size(), 2);
  const v1::WindowReport& newest = response.windows(0);
  EXPECT_EQ(newest.number(), response.windows(1).number() + 1);
  EXPECT_EQ(newest.end_cause(), v1::WindowReport::END_CAUSE_EXPIRED);
  EXPECT_NEAR(newest.capacity_cpus(), 2, 0.01);
  ASSERT_EQ(newest.users_size(), 1);
  EXPECT_EQ(newest.users(0).user(), "users/uid-1001");
  EXPECT_NEAR(newest.users(0).used().nanos(), 5e8, 1e6);
  EXPECT_LT(newest.end_time().seconds(),
            1'700'000'000 + absl::ToInt64Seconds(clock_.Now()) + 1);
  request.set_page_size(-1);
  EXPECT_EQ(Fail(usage_, &Stub::ListWindows, request), BadField("page_size"));
}

}  // namespace
}  // namespace fairsched::server
