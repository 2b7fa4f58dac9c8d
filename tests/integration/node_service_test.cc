// SPDX-License-Identifier: Apache-2.0
#include "server/node_service.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/api_fixture.h"

namespace fairsched::server {
namespace {

using Stub = v1::NodeService::Stub;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class NodeServiceTest : public ApiFixture {
 protected:
  void Enforce() {
    ASSERT_TRUE(store_.UpdateSettings({.mode = core::Mode::kEnforce}, {}).ok());
  }
  v1::NodeStatus Status() {
    v1::NodeStatus status;
    EXPECT_TRUE(
        Call(node_stub_, &Stub::GetStatus, v1::GetStatusRequest(), status)
            .ok());
    return status;
  }
  std::vector<std::string> Explain(const std::string& name) {
    v1::ExplainUserRequest request;
    request.set_name(name);
    v1::ExplainUserResponse response;
    const grpc::Status status =
        Call(node_stub_, &Stub::ExplainUser, request, response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.usage().user(), name);
    return {response.lines().begin(), response.lines().end()};
  }
};

TEST_F(NodeServiceTest, StatusTellsOfLoopPlacementAndPolicy) {
  node_.Set("uid-1001", {.cpus = 1});
  Tick(3);
  const v1::NodeStatus status = Status();
  EXPECT_EQ(status.version(), FAIRSCHED_VERSION);
  EXPECT_EQ(status.mode(), v1::MODE_OBSERVE);
  EXPECT_EQ(status.enforcement(), v1::NodeStatus::ENFORCEMENT_OBSERVING);
  EXPECT_EQ(status.tick_count(), 3);
  EXPECT_EQ(status.present_user_count(), 1);
  EXPECT_EQ(status.policy_revision(), 1);
  EXPECT_EQ(status.backend(), "legacy");
  EXPECT_EQ(status.placement_root(), "/fairsched");
  EXPECT_EQ(status.start_time().seconds(), 1'700'001'000);
}

TEST_F(NodeServiceTest, TheRevisionInForceFollowsAtTheNextTick) {
  Tick();
  MustCreate("alice", 1001);
  EXPECT_EQ(Status().policy_revision(), 1);
  Tick();
  EXPECT_EQ(Status().policy_revision(), 2);
}

TEST_F(NodeServiceTest, StatusTellsOfTheModeThatIsSetAndWhyItIsHeld) {
  Enforce();
  store_.HoldObserving("a file is there");
  Tick();
  EXPECT_EQ(Status().mode(), v1::MODE_ENFORCE);
  EXPECT_EQ(Status().enforcement(), v1::NodeStatus::ENFORCEMENT_OBSERVING);
  EXPECT_EQ(Status().held_because(), "a file is there");
}

TEST_F(NodeServiceTest, StatusCountsUsersThatAreNotEnforced) {
  Enforce();
  node_.Set("uid-1001",
            {.cpus = 1, .problem = runtime::NotEnforced::kReadOnly});
  node_.Set("uid-1002", {.cpus = 1});
  Tick(2);
  EXPECT_EQ(Status().enforcement(), v1::NodeStatus::ENFORCEMENT_ENFORCING);
  EXPECT_EQ(Status().not_enforced_user_count(), 1);
}

TEST_F(NodeServiceTest, StatusTellsWhyTheLastTickFailed) {
  node_.FailSamples(absl::InternalError("read /proc/stat: broken"));
  Tick();
  EXPECT_EQ(Status().last_error(), "read /proc/stat: broken");
  EXPECT_EQ(Status().failed_tick_count(), 1);
}

TEST_F(NodeServiceTest, AnExplanationIsInFourToEightSentences) {
  Enforce();
  MustCreate("absent", 1009);
  node_.Set("uid-1001", {.cpus = 1.2, .threads = 2});
  node_.Set("uid-1002", {.cpus = 0.8, .threads = 2});
  node_.Set("uid-0", {.cpus = 0.1});
  Tick(15);
  for (const char* name : {"users/uid-1001", "users/uid-0", "users/absent"}) {
    const std::vector<std::string> lines = Explain(name);
    EXPECT_THAT(lines.size(), AllOf(::testing::Ge(4), ::testing::Le(8)));
    EXPECT_THAT(lines, ::testing::Each(EndsWith(".")));
  }
  const std::vector<std::string> lines = Explain("users/uid-1001");
  EXPECT_THAT(lines, Contains(HasSubstr("has 100 shares")));
  EXPECT_THAT(lines, Contains(HasSubstr("1 other user wants CPU: uid-1002")));
  EXPECT_THAT(lines, Contains(HasSubstr("The kernel was told cpu.weight")));
}

TEST_F(NodeServiceTest, AUserThatNobodyKnowsCannotBeExplained) {
  v1::ExplainUserRequest request;
  request.set_name("users/nobody");
  EXPECT_EQ(Fail(node_stub_, &Stub::ExplainUser, request),
            (Failure{grpc::StatusCode::NOT_FOUND, "USER_NOT_FOUND", ""}));
}

TEST_F(NodeServiceTest, ReleaseAllReturnsOnceEverythingWasGivenBack) {
  Enforce();
  node_.Set("uid-1001", {.cpus = 1});
  node_.Set("uid-1002", {.cpus = 1});
  Tick(2);
  ASSERT_TRUE(node_.Report()->placing);

  std::atomic<bool> done = false;
  std::thread ticker([this, &done] {
    while (!done) Tick();
  });
  v1::ReleaseAllResponse response;
  const grpc::Status status =
      Call(node_stub_, &Stub::ReleaseAll, v1::ReleaseAllRequest(), response);
  done = true;
  ticker.join();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.released_cgroup_count(), 2);
  EXPECT_FALSE(node_.Report()->placing);
  EXPECT_EQ(store_.Read()->settings.values.mode, core::Mode::kObserve);
}

TEST_F(NodeServiceTest, AReleaseThatDoesNotEndIsGivenUpButTheModeStays) {
  Enforce();
  node_.Set("uid-1001", {.cpus = 1});
  node_.SetStuck(true);
  Tick(2);
  EXPECT_EQ(
      Fail(node_stub_, &Stub::ReleaseAll, v1::ReleaseAllRequest()),
      (Failure{grpc::StatusCode::DEADLINE_EXCEEDED, "RELEASE_TIMEOUT", ""}));
  EXPECT_EQ(store_.Read()->settings.values.mode, core::Mode::kObserve);
}

}  // namespace
}  // namespace fairsched::server
