// SPDX-License-Identifier: Apache-2.0
// Adopt placement, from the control loop down to a node with systemd.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "agent/runtime/control_loop.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/kernel_node.h"
#include "tests/support/fake_systemd_node.h"
#include "tests/support/temp_dir.h"

namespace fairsched::server {
namespace {

using ::testing::ElementsAre;
using testing::FakeSystemdNode;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kAlice = 1001;
constexpr int64_t kBob = 1002;

class AdoptTest : public ::testing::Test {
 protected:
  void Start(core::Mode mode, std::vector<core::UserPolicy> users = {},
             Placement placement = Placement::kAuto) {
    settings_.mode = mode;
    auto policy =
        std::make_shared<const core::Policy>(settings_, std::move(users));
    absl::StatusOr<std::unique_ptr<KernelNode>> made =
        KernelNode::Make(node_.proc, node_.clock,
                         {.journal_path = directory_ / "journal",
                          .placement = placement,
                          .agent_pid = FakeSystemdNode::kAgentPid},
                         policy);
    ASSERT_TRUE(made.ok()) << made.status();
    kernel_ = *std::move(made);
    loop_ = std::make_unique<runtime::ControlLoop>(
        runtime::ControlLoop::Deps{.clock = node_.clock,
                                   .sampler = kernel_->sampler(),
                                   .actuator = kernel_->actuator()},
        std::move(policy));
    Round();
  }
  void SetMode(core::Mode mode) {
    settings_.mode = mode;
    auto policy = std::make_shared<const core::Policy>(
        settings_, std::vector<core::UserPolicy>());
    kernel_->SetPolicy(policy);
    loop_->SetPolicy(policy);
  }
  void Round() {
    const absl::Status status = kernel_->Round();
    EXPECT_TRUE(status.ok()) << status;
  }
  void Tick() {
    loop_->Tick();
    node_.clock.Advance(absl::Milliseconds(100));
  }
  // Alice has three quarters of the node, and bob, who waits, the rest.
  void AliceCrowdsBobOut(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      node_.Use(node_.SliceOf(kAlice), absl::Milliseconds(150),
                absl::Milliseconds(20));
      node_.Use(node_.SliceOf(kBob), absl::Milliseconds(50),
                absl::Milliseconds(90));
      Tick();
      if (i == 0) Round();  // for the journal, which the first tick asked for
    }
  }
  int Weight(int64_t uid) {
    return std::stoi(node_.Get(node_.SliceOf(uid), "cpu.weight"));
  }
  std::vector<std::string> Users() {
    std::vector<std::string> ids;
    for (const core::UserDecision& user : loop_->Latest()->decision.users)
      ids.push_back(user.id);
    return ids;
  }
  core::UserDecision User(const std::string& id) {
    for (const core::UserDecision& user : loop_->Latest()->decision.users) {
      if (user.id == id) return user;
    }
    ADD_FAILURE() << "no user " << id;
    return {};
  }

  FakeSystemdNode node_;
  testing::TempDir directory_;
  core::Settings settings_;
  std::unique_ptr<KernelNode> kernel_;
  std::unique_ptr<runtime::ControlLoop> loop_;
};

TEST_F(AdoptTest, UsersAreSteeredInTheSlicesThatSystemdMadeThem) {
  node_.Login(kAlice);
  node_.Login(kBob);
  node_.MakeCgroup("/user.slice/user-112.slice");  // a display manager's
  Start(core::Mode::kEnforce);

  AliceCrowdsBobOut(20);

  EXPECT_THAT(Users(), ElementsAre("uid-1001", "uid-1002"));
  EXPECT_GT(Weight(kBob), Weight(kAlice));
  for (const testing::FakeWrite& write : node_.cgroups.TakeWrites()) {
    EXPECT_TRUE(absl::StrContains(write.path, "/user-1001.slice/cpu.") ||
                absl::StrContains(write.path, "/user-1002.slice/cpu."))
        << write.path;
  }
}

TEST_F(AdoptTest, ObservingMeasuresTheSlicesAndWritesNothing) {
  node_.Login(kAlice);
  node_.Login(kBob);
  Start(core::Mode::kObserve);

  AliceCrowdsBobOut(20);

  EXPECT_FALSE(User("uid-1001").sampled);
  EXPECT_NEAR(User("uid-1001").cpus, 1.5, 0.01);
  EXPECT_THAT(node_.cgroups.TakeWrites(), IsEmpty());
}

TEST_F(AdoptTest, ADaemonAfterACrashGivesTheValuesBackFirst) {
  node_.Login(kAlice);
  node_.Login(kBob);
  Start(core::Mode::kEnforce);
  AliceCrowdsBobOut(20);
  ASSERT_NE(Weight(kBob), 100);

  loop_.reset();
  kernel_.reset();  // as if killed: without Stop() it undoes nothing
  Start(core::Mode::kObserve);

  EXPECT_EQ(Weight(kAlice), 100);
  EXPECT_EQ(Weight(kBob), 100);
  EXPECT_TRUE(kernel_->left_over().ok());
}

TEST_F(AdoptTest, ObserveGivesTheWeightsBack) {
  node_.Login(kAlice);
  node_.Login(kBob);
  Start(core::Mode::kEnforce);
  AliceCrowdsBobOut(20);

  SetMode(core::Mode::kObserve);
  Tick();

  EXPECT_EQ(Weight(kAlice), 100);
  EXPECT_EQ(Weight(kBob), 100);
}

TEST_F(AdoptTest, SlicesComeAndGoWithTheirLogins) {
  node_.Login(kAlice);
  Start(core::Mode::kEnforce);
  Tick();
  EXPECT_THAT(Users(), ElementsAre("uid-1001"));

  node_.Login(kBob);
  Round();
  Tick();
  EXPECT_THAT(Users(), ElementsAre("uid-1001", "uid-1002"));

  node_.Logout(kAlice);
  Tick();
  EXPECT_THAT(Users(), ElementsAre("uid-1002"));
}

TEST_F(AdoptTest, LoggingOutAndInKeepsTheDebt) {
  node_.Login(kAlice);
  node_.Login(kBob);
  Start(core::Mode::kEnforce);
  AliceCrowdsBobOut(15);
  const core::CpuTime debt = User("uid-1001").balance;
  ASSERT_LT(debt, core::CpuTime());

  node_.Logout(kAlice);
  Round();
  Tick();
  node_.Login(kAlice);
  Round();
  Tick();

  EXPECT_EQ(User("uid-1001").balance, debt);
}

TEST_F(AdoptTest, AllCgroupsOfAUserAreOneAccount) {
  node_.Login(kAlice);
  node_.Login(kBob);
  const std::string scope = "/machine.slice/alice.scope";
  node_.MakeCgroup(scope);
  node_.cgroups.AddProcess(71, node_.kMount + node_.SliceOf(kAlice));
  node_.cgroups.AddProcess(72, node_.kMount + scope);
  node_.cgroups.AddProcess(73, node_.kMount + scope);
  Start(core::Mode::kEnforce,
        {{.id = "alice",
          .selectors = {core::UidSelector(kAlice),
                        core::CgroupSelector("machine.slice/*.scope")}}});
  for (int i = 0; i < 20; ++i) {
    node_.Use(scope, absl::Milliseconds(100));
    AliceCrowdsBobOut(1);
  }

  EXPECT_THAT(Users(), ElementsAre("alice", "uid-1002"));
  EXPECT_EQ(User("alice").cgroups.size(), 2u);
  EXPECT_EQ(User("alice").processes, 3);
  EXPECT_EQ(User("alice").threads, 8);
  EXPECT_NEAR(User("alice").cpus, 2.5, 0.01);
  EXPECT_LT(Weight(kAlice), Weight(kBob));
  EXPECT_THAT(kernel_->placement().Report()->notes,
              ElementsAre(HasSubstr("/machine.slice, /user.slice")));
}

TEST_F(AdoptTest, ANestedCgroupIsCountedOnceAndRefusedVisibly) {
  node_.Login(kAlice);
  node_.Login(kBob);
  const std::string inside = node_.SliceOf(kAlice) + "/user@1001.service";
  node_.MakeCgroup(inside);
  Start(core::Mode::kEnforce,
        {{.id = "carol",
          .selectors = {core::UnitSelector("user@1001.service")}}});
  for (int i = 0; i < 20; ++i) {
    // It is part of what alice uses.
    node_.cgroups.SetUsage(node_.kMount + inside, 150000 * i);
    AliceCrowdsBobOut(1);
  }

  EXPECT_EQ(User("carol").cpus, 0);
  EXPECT_NEAR(User("uid-1001").cpus, 1.5, 0.01);
  const auto& applied = loop_->Latest()->applied.cgroups;
  const auto nested = applied.find(User("carol").cgroups[0].inode);
  ASSERT_NE(nested, applied.end());
  EXPECT_EQ(nested->second.problem, runtime::NotEnforced::kNested);
  EXPECT_THAT(nested->second.problem_text, HasSubstr("users/uid-1001"));
  for (const testing::FakeWrite& write : node_.cgroups.TakeWrites())
    EXPECT_FALSE(absl::StrContains(write.path, "user@1001")) << write.path;
}

TEST_F(AdoptTest, TheDaemonsOwnCgroupIsNeverThrottled) {
  node_.Login(kAlice);
  node_.Login(kBob);
  node_.proc.Exit(FakeSystemdNode::kAgentPid);
  node_.MakeCgroup(node_.SliceOf(kAlice) + "/session-1.scope");
  node_.proc.Spawn({.pid = FakeSystemdNode::kAgentPid, .ruid = 0},
                   node_.SliceOf(kAlice) + "/session-1.scope");
  Start(core::Mode::kEnforce);

  AliceCrowdsBobOut(20);

  EXPECT_EQ(Weight(kAlice), 100);
  EXPECT_NEAR(User("uid-1001").cpus, 1.5, 0.01);
  const runtime::ApplyReport& applied = loop_->Latest()->applied;
  const auto own = applied.cgroups.find(User("uid-1001").cgroups[0].inode);
  ASSERT_NE(own, applied.cgroups.end());
  EXPECT_EQ(own->second.problem, runtime::NotEnforced::kOwnCgroup);
  EXPECT_EQ(loop_->Latest()->enforcement, runtime::Enforcement::kEnforcing);
}

TEST_F(AdoptTest, WithoutSystemdAutoOnlyObserves) {
  node_.proc.At(1).name = "init";
  Start(core::Mode::kObserve);
  EXPECT_THAT(std::string(kernel_->why_observe_only().message()),
              HasSubstr("PID 1 is not systemd"));
}

TEST_F(AdoptTest, AskedForItNeedsNoSystemd) {
  node_.proc.At(1).name = "init";
  Start(core::Mode::kObserve, {}, Placement::kAdopt);
  EXPECT_TRUE(kernel_->why_observe_only().ok());
  EXPECT_EQ(kernel_->placement().Report()->placement, "adopt");
}

}  // namespace
}  // namespace fairsched::server
