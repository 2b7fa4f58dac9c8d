// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "agent/kernel/cgroup_actuator.h"
#include "agent/kernel/cgroup_table.h"
#include "agent/kernel/controllers.h"
#include "agent/kernel/hierarchies.h"
#include "agent/kernel/node_counters.h"
#include "agent/kernel/real_file_system.h"
#include "gtest/gtest.h"

// The same as the unit tests of this layer believe of their fake, of the kernel
// that this runs on.
namespace fairsched::kernel {
namespace {

absl::Status SetWeight(Cgroup& cgroup, int32_t weight) {
  return cgroup.Write({CpuFile::kWeight, cgroup.backend() == Backend::kLegacy
                                             ? FormatCpuShares(weight)
                                             : FormatCpuWeight(weight)});
}

absl::Status SetIdle(Cgroup& cgroup, bool idle) {
  return cgroup.Write({CpuFile::kIdle, FormatCpuIdle(idle)});
}

using core::CpuTime;
using core::CpuValues;

// A directory of its own in every tree, removed with it.
class TestGroup {
 public:
  TestGroup(FileSystem& fs, const Hierarchies& hierarchies)
      : fs_(fs),
        hierarchies_(hierarchies),
        path_(absl::StrCat("/fairsched-test-", ::getpid())) {}
  ~TestGroup() { Remove().IgnoreError(); }

  absl::Status Make() {
    for (const std::string& mount : hierarchies_.Mounts()) {
      const absl::Status made = fs_.MakeDirectory(mount + path_);
      if (!made.ok()) return made;
    }
    return absl::OkStatus();
  }
  absl::Status Remove() {
    absl::Status first;
    for (const std::string& mount : hierarchies_.Mounts())
      first.Update(fs_.RemoveDirectory(mount + path_));
    return first;
  }
  const std::string& path() const { return path_; }

  // A child that joins the group in every tree and keeps a CPU busy until it
  // has had `cpu_time` of it. False if it could not.
  bool Burn(CpuTime cpu_time) {
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(BurnHere(cpu_time) ? 0 : 1);
    int status = -1;
    return pid > 0 && ::waitpid(pid, &status, 0) == pid && status == 0;
  }

 private:
  bool BurnHere(CpuTime cpu_time) {
    for (const std::string& mount : hierarchies_.Mounts()) {
      if (!fs_.Write(absl::StrCat(mount, path_, "/cgroup.procs"), "0").ok())
        return false;
    }
    const CpuTime start = OwnCpuTime();
    while (OwnCpuTime() - start < cpu_time) {
    }
    return true;
  }
  static CpuTime OwnCpuTime() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return CpuTime::Usec(
        absl::ToInt64Microseconds(absl::DurationFromTimespec(used)));
  }

  FileSystem& fs_;
  const Hierarchies hierarchies_;
  const std::string path_;
};

class RealCgroupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    absl::StatusOr<Hierarchies> found = FindHierarchies(fs_, "/proc");
    if (!found.ok()) GTEST_SKIP() << "needs " << found.status();
    hierarchies_ = *std::move(found);
    if (hierarchies_.backend == Backend::kUnified) {
      const absl::StatusOr<std::string> enabled =
          fs_.Read(hierarchies_.cpu + "/cgroup.subtree_control");
      if (!enabled.ok() || !ListsController(*enabled, "cpu")) {
        GTEST_SKIP() << "needs the cpu controller in " << hierarchies_.cpu
                     << "/cgroup.subtree_control";
      }
    }
    group_ = std::make_unique<TestGroup>(fs_, hierarchies_);
    const absl::Status made = group_->Make();
    if (!made.ok()) GTEST_SKIP() << "needs to make cgroups: " << made;
    absl::StatusOr<std::unique_ptr<Cgroup>> cgroup =
        Cgroup::Open(fs_, hierarchies_, group_->path());
    ASSERT_TRUE(cgroup.ok()) << cgroup.status();
    cgroup_ = *std::move(cgroup);
  }

  RealFileSystem fs_;
  Hierarchies hierarchies_;
  std::unique_ptr<TestGroup> group_;
  std::unique_ptr<Cgroup> cgroup_;
};

TEST_F(RealCgroupTest, ANewGroupHasTheDefaults) {
  EXPECT_EQ(Outward(cgroup_->ReadValues().value()), CpuValues());
  EXPECT_EQ(cgroup_->inode(),
            fs_.Inode(hierarchies_.cpu + group_->path()).value());
  EXPECT_EQ(cgroup_->ReadCounters()->usage, CpuTime());
}

TEST_F(RealCgroupTest, EveryWeightIsReadBackAsItWasSet) {
  for (const int32_t weight : {1, 2, 3, 50, 99, 101, 1234, 9999, 10000}) {
    ASSERT_TRUE(SetWeight(*cgroup_, weight).ok());
    EXPECT_EQ(cgroup_->ReadValues()->weight, weight);
  }
}

TEST_F(RealCgroupTest, LeavingIdleForgetsTheWeight) {
  if (!cgroup_->Has(CpuFile::kIdle))
    GTEST_SKIP() << "needs cpu.idle (Linux 5.15)";
  ASSERT_TRUE(SetWeight(*cgroup_, 250).ok());
  ASSERT_TRUE(SetIdle(*cgroup_, true).ok());
  EXPECT_TRUE(cgroup_->ReadValues()->idle);
  EXPECT_TRUE(absl::IsInvalidArgument(SetWeight(*cgroup_, 300)));
  ASSERT_TRUE(SetIdle(*cgroup_, false).ok());
  EXPECT_EQ(Outward(cgroup_->ReadValues().value()), CpuValues());
}

TEST_F(RealCgroupTest, UsageGrowsByWhatIsUsedInIt) {
  ASSERT_TRUE(group_->Burn(CpuTime::Msec(50)));

  const absl::StatusOr<CgroupCounters> counters = cgroup_->ReadCounters();

  ASSERT_TRUE(counters.ok()) << counters.status();
  EXPECT_GE(counters->usage, CpuTime::Msec(50));
  EXPECT_LT(counters->usage, CpuTime::Msec(500));
}

TEST_F(RealCgroupTest, ARemovedGroupIsNotFoundEvenIfItsNameIsBack) {
  ASSERT_TRUE(group_->Remove().ok());
  EXPECT_TRUE(absl::IsNotFound(cgroup_->ReadCounters().status()));
  EXPECT_TRUE(absl::IsNotFound(cgroup_->ReadValues().status()));
  EXPECT_TRUE(absl::IsNotFound(SetWeight(*cgroup_, 7)));

  ASSERT_TRUE(group_->Make().ok());
  EXPECT_FALSE(cgroup_->Exists());
  EXPECT_TRUE(absl::IsNotFound(cgroup_->ReadCounters().status()));
}

TEST_F(RealCgroupTest, AGroupWithAProcessIsNotRemoved) {
  int ready[2];
  ASSERT_EQ(::pipe2(ready, O_CLOEXEC), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    // Ends when the other end is closed.
    ::close(ready[1]);
    char byte = 0;
    ::_exit(::read(ready[0], &byte, 1) == 0 ? 0 : 1);
  }
  const std::string directory = hierarchies_.cpu + group_->path();
  EXPECT_TRUE(fs_.Write(directory + "/cgroup.procs", absl::StrCat(pid)).ok());
  EXPECT_TRUE(absl::IsUnavailable(fs_.RemoveDirectory(directory)));
  ::close(ready[0]);
  ::close(ready[1]);
  int status = -1;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(fs_.RemoveDirectory(directory).ok());
}

TEST_F(RealCgroupTest, ADeadProcessCantBeMoved) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(0);
  int status = -1;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(absl::IsNotFound(
      fs_.Write(absl::StrCat(hierarchies_.cpu, group_->path(), "/cgroup.procs"),
                absl::StrCat(pid))));
}

TEST_F(RealCgroupTest, TheActuatorAppliesAndReleases) {
  CgroupTable table(fs_, hierarchies_);
  CgroupActuator actuator({.table = table});
  core::Decision decision;
  decision.users.resize(1);
  decision.users[0].cgroups = {{.inode = table.Read(group_->path())->inode,
                                .wanted = {.weight = 640, .idle = false}}};

  const runtime::ApplyReport report = actuator.Apply(decision);
  EXPECT_EQ(report.attempted_writes, 1);
  EXPECT_EQ(report.failed_writes, 0);
  EXPECT_EQ(cgroup_->ReadValues()->weight, 640);

  decision.users[0].cgroups[0].wanted.idle = true;
  actuator.Apply(decision);
  EXPECT_EQ(cgroup_->ReadValues()->idle, cgroup_->Has(CpuFile::kIdle));

  actuator.Release();
  EXPECT_EQ(Outward(cgroup_->ReadValues().value()), CpuValues());
}

TEST_F(RealCgroupTest, WhatAGroupUsesTheNodeWasBusyWith) {
  absl::StatusOr<NodeCounters> node =
      NodeCounters::Open(fs_, hierarchies_, NodePaths());
  ASSERT_TRUE(node.ok()) << node.status();
  const absl::StatusOr<core::NodeSample> before = node->Read();
  ASSERT_TRUE(before.ok()) << before.status();

  ASSERT_TRUE(group_->Burn(CpuTime::Msec(200)));

  const absl::StatusOr<core::NodeSample> after = node->Read();
  ASSERT_TRUE(after.ok()) << after.status();
  // A root that counts in timer ticks may have missed some.
  EXPECT_GE(after->busy - before->busy, CpuTime::Msec(150));
  EXPECT_GE(after->hypervisor_steal, before->hypervisor_steal);
  EXPECT_GT(after->cpus, 0);
}

}  // namespace
}  // namespace fairsched::kernel
