// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/node_counters.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::kernel {
namespace {

using core::CpuTime;
using testing::FakeCgroupFs;

const Hierarchies kUnified = {
    .backend = Backend::kUnified, .cpu = "/v2", .cpuacct = "", .unified = ""};
const Hierarchies kLegacy = {.backend = Backend::kLegacy,
                             .cpu = "/cpu",
                             .cpuacct = "/acct",
                             .unified = ""};

class NodeCountersTest : public ::testing::Test {
 protected:
  NodeCountersTest() {
    fs_.MountUnified("/v2", {"cpu"});
    fs_.MountLegacy("/cpu", {"cpu"});
    fs_.MountLegacy("/acct", {"cpuacct"});
    fs_.Put("/proc/stat", "cpu 100 0 50 900 0 0 0 7 0 0\n");
    fs_.Put("/sys/devices/system/cpu/online", "0-3\n");
  }
  absl::StatusOr<core::NodeSample> Read(const Hierarchies& hierarchies) {
    absl::StatusOr<NodeCounters> node =
        NodeCounters::Open(fs_, hierarchies, NodePaths());
    if (!node.ok()) return node.status();
    return node->Read();
  }
  FakeCgroupFs fs_;
};

TEST_F(NodeCountersTest, BusyIsOfTheUnifiedRoot) {
  fs_.SetUsage("/v2", 12345);
  const core::NodeSample node = Read(kUnified).value();
  EXPECT_EQ(node.busy, CpuTime::Usec(12345));
  EXPECT_EQ(node.hypervisor_steal, CpuTime::Msec(70));
  EXPECT_EQ(node.cpus, 4);
}

TEST_F(NodeCountersTest, BusyIsOfTheRootOfCpuacct) {
  fs_.SetUsage("/acct", 777);
  EXPECT_EQ(Read(kLegacy)->busy, CpuTime::Usec(777));
}

TEST_F(NodeCountersTest, HypervisorStealIsNotBusy) {
  fs_.Put("/v2/cpu.stat", "usage_usec 130\nuser_usec 60\nsystem_usec 40\n");
  EXPECT_EQ(Read(kUnified)->busy, CpuTime::Usec(100));
}

TEST_F(NodeCountersTest, ARootWithoutCpuStatIsCountedByProcStat) {
  fs_.WithoutFile("cpu.stat");
  EXPECT_EQ(Read(kUnified)->busy, CpuTime::Msec(1500));
}

TEST_F(NodeCountersTest, ARootWhoseCpuStatHasNoUsageIsCountedByProcStat) {
  fs_.Put("/v2/cpu.stat", "nr_periods 0\n");
  EXPECT_EQ(Read(kUnified)->busy, CpuTime::Msec(1500));
}

TEST_F(NodeCountersTest, TheSourceOfBusyStaysTheSame) {
  fs_.SetUsage("/v2", 12345);
  absl::StatusOr<NodeCounters> node =
      NodeCounters::Open(fs_, kUnified, NodePaths());
  ASSERT_TRUE(node.ok()) << node.status();
  fs_.FailNext("/v2/cpu.stat", testing::FsOp::kRead, absl::InternalError("io"));
  EXPECT_TRUE(absl::IsInternal(node->Read().status()));
  EXPECT_EQ(node->Read()->busy, CpuTime::Usec(12345));
}

TEST_F(NodeCountersTest, ACpuThatGoesOfflineIsSeen) {
  absl::StatusOr<NodeCounters> node =
      NodeCounters::Open(fs_, kUnified, NodePaths());
  ASSERT_TRUE(node.ok()) << node.status();
  EXPECT_EQ(node->Read()->cpus, 4);
  fs_.Put("/sys/devices/system/cpu/online", "0,2-3\n");
  EXPECT_EQ(node->Read()->cpus, 3);
}

TEST_F(NodeCountersTest, TheCpusetOfTheRootTakesCpusAway) {
  fs_.Put("/v2/cpuset.cpus.effective", "1-2\n");
  EXPECT_EQ(Read(kUnified)->cpus, 2);
  fs_.Put("/v2/cpuset.cpus.effective", "0-7\n");
  EXPECT_EQ(Read(kUnified)->cpus, 4);
  fs_.Put("/v2/cpuset.cpus.effective", "\n");
  EXPECT_EQ(Read(kUnified)->cpus, 4);
}

TEST_F(NodeCountersTest, TheCeilingOfAContainersRootTakesCpusAway) {
  fs_.Put("/v2/cpu.max", "150000 100000\n");
  EXPECT_DOUBLE_EQ(Read(kUnified)->cpus, 1.5);
  fs_.Put("/v2/cpu.max", "900000 100000\n");
  EXPECT_EQ(Read(kUnified)->cpus, 4);
  fs_.Put("/v2/cpu.max", "max 100000\n");
  EXPECT_EQ(Read(kUnified)->cpus, 4);
}

TEST_F(NodeCountersTest, TheCeilingOfAV1RootTakesCpusAway) {
  EXPECT_EQ(Read(kLegacy)->cpus, 4);
  fs_.Put("/cpu/cpu.cfs_quota_us", "25000\n");
  fs_.Put("/cpu/cpu.cfs_period_us", "50000\n");
  EXPECT_DOUBLE_EQ(Read(kLegacy)->cpus, 0.5);
}

TEST_F(NodeCountersTest, WithoutItsOwnCountersNothingIsKnownOfANode) {
  fs_.Put("/sys/devices/system/cpu/online", "\n");
  EXPECT_TRUE(absl::IsInternal(Read(kUnified).status()));
  fs_.Put("/sys/devices/system/cpu/online", "all\n");
  EXPECT_TRUE(absl::IsInvalidArgument(Read(kUnified).status()));
  fs_.Remove("/sys/devices/system/cpu/online");
  EXPECT_TRUE(absl::IsNotFound(Read(kUnified).status()));
}

TEST_F(NodeCountersTest, MalformedProcStatIsAnError) {
  fs_.Put("/proc/stat", "intr 0\n");
  EXPECT_TRUE(absl::IsInvalidArgument(Read(kUnified).status()));
}

}  // namespace
}  // namespace fairsched::kernel
