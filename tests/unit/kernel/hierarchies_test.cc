// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/hierarchies.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FindHierarchiesTest : public ::testing::Test {
 protected:
  FindHierarchiesTest() { fs_.Put("/proc/1/comm", "init\n"); }
  absl::StatusOr<Hierarchies> Find() { return FindHierarchies(fs_, "/proc"); }
  testing::FakeCgroupFs fs_;
};

TEST_F(FindHierarchiesTest, AUnifiedTreeWithCpuIsAllThatIsNeeded) {
  fs_.MountUnified("/sys/fs/cgroup", {"cpuset", "cpu", "memory"});
  EXPECT_EQ(Find().value(), (Hierarchies{.backend = Backend::kUnified,
                                         .cpu = "/sys/fs/cgroup",
                                         .cpuacct = "",
                                         .unified = ""}));
}

TEST_F(FindHierarchiesTest, CpuInTheUnifiedTreeWinsOverV1Trees) {
  fs_.MountLegacy("/v1/cpuacct", {"cpuacct"});
  fs_.MountUnified("/v2", {"cpu"});
  EXPECT_EQ(Find()->backend, Backend::kUnified);
  EXPECT_EQ(Find()->cpu, "/v2");
}

TEST_F(FindHierarchiesTest, AHybridHostHasBothVersions) {
  fs_.MountLegacy("/v1/cpu", {"cpu"});
  fs_.MountLegacy("/v1/cpuacct", {"cpuacct"});
  fs_.MountLegacy("/v1/cpuset", {"cpuset"});
  fs_.MountUnified("/v2", {"hugetlb", "cpuset"});
  const absl::StatusOr<Hierarchies> found = Find();
  EXPECT_EQ(found.value(), (Hierarchies{.backend = Backend::kLegacy,
                                        .cpu = "/v1/cpu",
                                        .cpuacct = "/v1/cpuacct",
                                        .unified = "/v2"}));
  EXPECT_THAT(found->Mounts(), ElementsAre("/v1/cpu", "/v1/cpuacct", "/v2"));
}

TEST_F(FindHierarchiesTest, TheTreeInWhichSystemdTracksItsUnitsIsLeftAlone) {
  fs_.MountLegacy("/v1/cpu,cpuacct", {"cpu", "cpuacct"});
  fs_.MountUnified("/v2", {});
  fs_.Put("/proc/1/comm", "systemd\n");
  EXPECT_EQ(Find()->unified, "");
  fs_.Remove("/proc/1/comm");
  EXPECT_EQ(Find()->unified, "");
}

TEST_F(FindHierarchiesTest, CoMountedControllersAreOneMount) {
  fs_.MountLegacy("/v1/cpu,cpuacct", {"cpu", "cpuacct"});
  const absl::StatusOr<Hierarchies> found = Find();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->cpu, found->cpuacct);
  EXPECT_THAT(found->Mounts(), ElementsAre("/v1/cpu,cpuacct"));
}

TEST_F(FindHierarchiesTest, AWholeTreeIsTakenBeforeAPartOfOne) {
  fs_.MountUnified("/part", {"cpu"});
  fs_.MountUnified("/whole tree", {"cpu"});
  fs_.Put("/proc/self/mountinfo",
          "1 0 0:1 /docker/x /part rw - cgroup2 none rw\n"
          "2 0 0:1 / /whole\\040tree rw shared:9 - cgroup2 none rw\n");
  EXPECT_EQ(Find()->cpu, "/whole tree");
  fs_.Put("/proc/self/mountinfo",
          "1 0 0:1 /docker/x /part rw - cgroup2 none rw\n");
  EXPECT_EQ(Find()->cpu, "/part");
}

TEST_F(FindHierarchiesTest, AMountThatIsMountedOverIsPassedBy) {
  fs_.MountUnified("/seen", {"cpu"});
  fs_.Put("/proc/self/mountinfo",
          "1 0 0:1 / /hidden rw - cgroup2 none rw\n"
          "2 0 0:1 / /seen rw - cgroup2 none rw\n");
  EXPECT_EQ(Find()->cpu, "/seen");
}

TEST_F(FindHierarchiesTest, NoTreeWithCpuSaysHowToGetOne) {
  fs_.MountUnified("/v2", {"cpuset", "memory"});
  const absl::Status status = Find().status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("cpu controller"));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("systemd.unified_cgroup_hierarchy=1"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("mount -t cgroup2"));
}

TEST_F(FindHierarchiesTest, CpuWithoutCpuacctSaysWhatIsMissing) {
  fs_.MountLegacy("/v1/cpu", {"cpu"});
  const absl::Status status = Find().status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("-o cpuacct"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("/v1/cpu"));
}

TEST_F(FindHierarchiesTest, WithoutMountinfoNothingIsAssumed) {
  EXPECT_TRUE(absl::IsNotFound(Find().status()));
}

}  // namespace
}  // namespace fairsched::kernel
