// SPDX-License-Identifier: Apache-2.0
// Every call to the kernel fails once, in every phase of a classifier's life.
#include <optional>
#include <string>

#include "agent/kernel/classifier.h"
#include "gtest/gtest.h"
#include "tests/support/fake_own_node.h"

namespace fairsched::kernel {
namespace {

using core::Mode;
using testing::FakeOwnNode;

constexpr int64_t kPids[] = {10, 11, 20, 21};

// A node, its classifier, and four processes of two users.
struct Life {
  Life() {
    node.MakeCgroup("/login");
    classifier.emplace(node.Deps(), node.journal, node.Options(),
                       FakeOwnNode::Policy(Mode::kEnforce));
  }
  void Spawn() {
    for (const int64_t pid : kPids)
      node.proc.Spawn({.pid = pid, .ruid = UidOf(pid)}, "/login");
  }
  static int64_t UidOf(int64_t pid) { return pid < 20 ? 1001 : 1002; }
  int Placed() {
    int placed = 0;
    for (const int64_t pid : kPids) {
      const std::string group = node.Layout().Group(UidOf(pid));
      if (node.Where(pid) == group && node.WhereAcct(pid) == group) ++placed;
    }
    return placed;
  }
  int AtHome() {
    int at_home = 0;
    for (const int64_t pid : kPids) {
      if (node.Where(pid) == "/login" && node.WhereAcct(pid) == "/login")
        ++at_home;
    }
    return at_home;
  }

  FakeOwnNode node{Backend::kLegacy};
  std::optional<Classifier> classifier;
};

class ClassifierFaultTest : public ::testing::TestWithParam<absl::StatusCode> {
 protected:
  absl::Status Fault() const { return absl::Status(GetParam(), "injected"); }
};

TEST_P(ClassifierFaultTest, OneFaultInARoundStopsNoOtherUser) {
  int64_t call = 1;
  int without_any = 0;
  for (;; ++call) {
    SCOPED_TRACE(call);
    Life life;
    ASSERT_TRUE(life.classifier->Round().ok());
    life.Spawn();
    const int64_t before = life.node.proc.calls();
    life.node.proc.FailCall(call, Fault());

    life.classifier->Round().IgnoreError();

    if (life.node.proc.calls() < before + call) break;
    if (life.Placed() == 0) ++without_any;
    EXPECT_TRUE(life.Placed() == 0 || life.Placed() >= 2);
    EXPECT_TRUE(life.classifier->Round().ok());
    EXPECT_EQ(life.Placed(), 4);
    EXPECT_TRUE(life.classifier->Stop().ok());
    EXPECT_EQ(life.AtHome(), 4);
  }
  EXPECT_GT(call, 30);
  EXPECT_EQ(without_any, 1) << "but for the list of /proc itself";
}

TEST_P(ClassifierFaultTest, OneFaultAtTheStartIsMadeGoodByTheNextRound) {
  for (int64_t call = 1;; ++call) {
    SCOPED_TRACE(call);
    Life life;
    life.Spawn();
    const int64_t before = life.node.proc.calls();
    life.node.proc.FailCall(call, Fault());

    life.classifier->Round().IgnoreError();

    if (life.node.proc.calls() < before + call) break;
    EXPECT_TRUE(life.classifier->Round().ok());
    EXPECT_EQ(life.Placed(), 4);
    EXPECT_EQ(life.node.Where(FakeOwnNode::kAgentPid), "/fairsched/agent");
    EXPECT_TRUE(life.classifier->Stop().ok());
    EXPECT_EQ(life.AtHome(), 4);
    EXPECT_FALSE(life.node.HasCgroup("/fairsched"));
  }
}

TEST_P(ClassifierFaultTest, OneFaultAtTheEndLeavesNothing) {
  for (int64_t call = 1;; ++call) {
    SCOPED_TRACE(call);
    Life life;
    life.Spawn();
    ASSERT_TRUE(life.classifier->Round().ok());
    const int64_t before = life.node.proc.calls();
    life.node.proc.FailCall(call, Fault());

    EXPECT_TRUE(life.classifier->Stop().ok());

    if (life.node.proc.calls() < before + call) break;
    EXPECT_FALSE(life.node.HasCgroup("/fairsched"));
    for (const int64_t pid : kPids)
      EXPECT_FALSE(life.node.Layout().Contains(life.node.Where(pid)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Codes, ClassifierFaultTest,
    ::testing::Values(absl::StatusCode::kNotFound,
                      absl::StatusCode::kPermissionDenied,
                      absl::StatusCode::kUnavailable,
                      absl::StatusCode::kResourceExhausted),
    [](const auto& c) { return absl::StatusCodeToString(c.param); });

}  // namespace
}  // namespace fairsched::kernel
