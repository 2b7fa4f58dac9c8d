// SPDX-License-Identifier: Apache-2.0
#include "server/metrics.h"

#include <sstream>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/text_serializer.h"
#include "server/metrics_families.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_node.h"
#include "tests/unit/server/test_view.h"

namespace fairsched::server {
namespace {

using core::CpuTime;
using core::UserState;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Text(const Families& families) {
  std::ostringstream text;
  prometheus::TextSerializer().Serialize(text, families);
  return text.str();
}

TEST(MetricsTest, AUserHasItsCountersGaugesAndState) {
  TestView test;
  core::UserDecision& user = test.Add("uid-1001", UserState::kHeld);
  user.shares = 300;
  user.balance = CpuTime::Msec(-250);
  user.totals = {.used = CpuTime::Msec(9500),
                 .entitled = CpuTime::Msec(8000),
                 .surplus = CpuTime::Msec(500),
                 .unmet = CpuTime::Msec(1500),
                 .held = absl::Seconds(4)};
  Families families;
  AddUserFamilies(test.snapshot(), kMaxMetricUsers, families);
  const std::string text = Text(families);
  for (const char* line :
       {"fairsched_user_cpu_seconds_total{user=\"uid-1001\"} 9.5\n",
        "fairsched_user_entitled_seconds_total{user=\"uid-1001\"} 8\n",
        "fairsched_user_surplus_seconds_total{user=\"uid-1001\"} 0.5\n",
        "fairsched_user_wait_seconds_total{user=\"uid-1001\"} 1.5\n",
        "fairsched_user_held_seconds_total{user=\"uid-1001\"} 4\n",
        "fairsched_user_balance_seconds{user=\"uid-1001\"} -0.25\n",
        "fairsched_user_shares{user=\"uid-1001\"} 300\n",
        "fairsched_user_state{user=\"uid-1001\",state=\"held\"} 1\n",
        "fairsched_user_state{user=\"uid-1001\",state=\"running\"} 0\n",
        "fairsched_user_info{user=\"uid-1001\",uid=\"1001\"} 1\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(MetricsTest, UsersBeyondTheBoundAreSummedUpByUsage) {
  TestView test;
  for (int64_t i = 1; i <= 5; ++i) {
    test.Add(absl::StrCat("u", i), UserState::kRunning).totals.used =
        CpuTime::Msec(1000 * i);
  }
  Families families;
  AddUserFamilies(test.snapshot(), 2, families);
  const std::string text = Text(families);
  EXPECT_THAT(text, HasSubstr("cpu_seconds_total{user=\"u4\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("cpu_seconds_total{user=\"u5\"} 5\n"));
  EXPECT_THAT(text, HasSubstr("cpu_seconds_total{user=\"_other\"} 6\n"));
  EXPECT_THAT(text, Not(HasSubstr("\"u3\"")));
  EXPECT_THAT(text, Not(HasSubstr("shares{user=\"_other\"}")));
}

TEST(MetricsTest, TheNodesTotalsAreSumsOverTicks) {
  TestView test;
  test.node().managed = CpuTime::Msec(100);
  test.node().unmanaged = CpuTime::Msec(60);
  test.node().idle = CpuTime::Msec(40);
  test.Add("uid-0", UserState::kExempt).cpus = 0.2;
  NodeTotals totals;
  totals.Add(test.snapshot().decision);
  totals.Add(test.snapshot().decision);  // the same tick
  test.snapshot().decision.at += absl::Milliseconds(100);
  totals.Add(test.snapshot().decision);
  const NodeCpuTime sum = totals.Read();
  EXPECT_EQ(sum.capacity, CpuTime::Msec(400));
  EXPECT_EQ(sum.busy, CpuTime::Msec(320));
  EXPECT_EQ(sum.idle, CpuTime::Msec(80));
  EXPECT_EQ(sum.exempt, CpuTime::Msec(40));
  EXPECT_EQ(sum.other, CpuTime::Msec(80));
}

TEST(MetricsTest, AHistogramIsCumulativeAndEndsAtInfinity) {
  runtime::Snapshot snapshot = TestView().snapshot();
  snapshot.stats.ticks = 3;
  snapshot.stats.tick_seconds.Observe(absl::Microseconds(50));
  snapshot.stats.tick_seconds.Observe(absl::Microseconds(200));
  snapshot.stats.tick_seconds.Observe(absl::Seconds(1));
  Families families;
  AddLoopFamilies(snapshot, families);
  const std::string text = Text(families);
  EXPECT_THAT(text, HasSubstr("duration_seconds_bucket{le=\"0.0001\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("duration_seconds_bucket{le=\"0.00025\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("duration_seconds_bucket{le=\"0.1\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("duration_seconds_bucket{le=\"+Inf\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("duration_seconds_count 3\n"));
}

TEST(MetricsTest, CallsAreCountedByServiceMethodAndCode) {
  RpcStats stats;
  stats.Count({.path = "/fairsched.v1.UsageService/WatchUsage", .code = 0});
  stats.Count({.path = "/fairsched.v1.PolicyService/GetUser",
               .code = 5,
               .duration = absl::Milliseconds(2)});
  Families families;
  AddDaemonFamilies({.start_time = absl::FromUnixSeconds(7),
                     .policy_revision = 3,
                     .overrides = 2,
                     .watchers = 2,
                     .rpcs = stats.Read()},
                    families);
  const std::string text = Text(families);
  EXPECT_THAT(text, HasSubstr("rpc_handled_total{grpc_service=\"fairsched.v1."
                              "PolicyService\",grpc_method=\"GetUser\",grpc_"
                              "code=\"NOT_FOUND\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("grpc_method=\"GetUser\",le=\"0.0025\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("grpc_method=\"WatchUsage\",le=")));
  EXPECT_THAT(text, HasSubstr("fairsched_policy_revision 3\n"));
  EXPECT_THAT(text, HasSubstr("fairsched_overrides 2\n"));
  EXPECT_THAT(text, HasSubstr("fairsched_watchers 2\n"));
  EXPECT_THAT(text, HasSubstr("process_start_time_seconds 7\n"));
}

TEST(MetricsTest, MadeUpMethodsDoNotMakeEndlesslyManySeries) {
  RpcStats stats;
  for (int i = 0; i < 1000; ++i) {
    stats.Count({.path = absl::StrCat("/s/m", i), .code = 12});
  }
  EXPECT_LE(stats.Read().size(), 50u);
}

// The whole page, over a loop.
class MetricsPageTest : public ::testing::Test {
 protected:
  testing::FakeClock clock_;
  testing::FakeNode node_{2};
  PolicyStore store_{clock_, {}, [](auto, uint64_t) {}};
  runtime::ControlLoop loop_{
      {.clock = clock_, .sampler = node_, .actuator = node_},
      store_.Read()->policy};
  RpcStats rpc_stats_;
  Metrics metrics_{
      {.loop = loop_,
       .placement = node_,
       .store = store_,
       .rpc_stats = rpc_stats_},
      {.start_time = clock_.WallTime(), .watchers = [] { return size_t{0}; }}};
};

TEST_F(MetricsPageTest, ThePageIsBuiltOnceForEachSnapshot) {
  const auto first = metrics_.Text();
  EXPECT_EQ(metrics_.Text(), first);
  clock_.Advance(absl::Milliseconds(100));
  loop_.Tick();
  EXPECT_NE(metrics_.Text(), first);
}

TEST_F(MetricsPageTest, ThePageHasEveryFamilyOfAnEnforcingDaemon) {
  ASSERT_TRUE(store_.UpdateSettings({.mode = core::Mode::kEnforce}, {}).ok());
  loop_.SetPolicy(store_.Read()->policy);
  node_.Set("uid-1001", {.cpus = 1});
  rpc_stats_.Count({.path = "/fairsched.v1.NodeService/GetStatus",
                    .duration = absl::Milliseconds(1)});
  for (int i = 0; i < 3; ++i) {
    clock_.Advance(absl::Milliseconds(100));
    loop_.Tick();
    metrics_.AddTick();
  }
  const std::string text = *metrics_.Text();
  for (const char* name :
       {"fairsched_user_cpu_seconds_total{",
        "fairsched_user_shares{",
        "fairsched_node_capacity_cpu_seconds_total ",
        "fairsched_node_busy_cpu_seconds_total ",
        "fairsched_window_seconds 1",
        "fairsched_windows_total{end=\"all_spent\"}",
        "fairsched_enforcing 1",
        "fairsched_contended ",
        "fairsched_tick_duration_seconds_sum",
        "fairsched_tick_overruns_total 0",
        "fairsched_cgroup_reads_total",
        "fairsched_cgroup_writes_total{file=\"cpu.weight\",result=\"done\"} 3",
        "fairsched_cgroup_drift_total{cause=\"reload\"} 0",
        "fairsched_not_enforced_users{reason=\"permission\"} 0",
        "fairsched_sample_resets_total",
        "fairsched_sample_clamps_total",
        "fairsched_policy_revision 2",
        "fairsched_watchers 0",
        "fairsched_rpc_handled_total{",
        "fairsched_rpc_duration_seconds_sum",
        "fairsched_build_info{version=",
        "process_cpu_seconds_total",
        "process_resident_memory_bytes",
        "process_open_fds",
        "process_start_time_seconds"}) {
    EXPECT_THAT(text, HasSubstr(name));
  }
}

}  // namespace
}  // namespace fairsched::server
