// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/own_parent.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::kernel {
namespace {

using ::testing::HasSubstr;

class UnitCgroupTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::string> Find(const std::string& text) {
    fs_.Put("/proc/self/cgroup", text);
    return UnitCgroup(fs_, "/proc", hierarchies_);
  }

  testing::FakeCgroupFs fs_;
  Hierarchies hierarchies_{.backend = Backend::kUnified, .cpu = "/cg"};
};

TEST_F(UnitCgroupTest, IsTheOneThatWeAreIn) {
  EXPECT_EQ(Find("0::/system.slice/fairschedd.service\n").value(),
            "/system.slice/fairschedd.service");
}

TEST_F(UnitCgroupTest, ControlProcessesAreBelowIt) {
  EXPECT_EQ(Find("0::/system.slice/fairschedd.service/.control\n").value(),
            "/system.slice/fairschedd.service");
}

TEST_F(UnitCgroupTest, TheRootIsNoParent) {
  EXPECT_EQ(Find("0::/\n").value(), "");
}

TEST_F(UnitCgroupTest, OnV1ItIsTheOneOfTheCpuController) {
  hierarchies_ = {.backend = Backend::kLegacy, .cpu = "/v1/cpu"};
  EXPECT_EQ(Find("5:memory:/a\n3:cpu,cpuacct:/b\n0::/c\n").value(), "/b");
}

TEST_F(UnitCgroupTest, SaysThatItCanNotBeSeen) {
  EXPECT_TRUE(absl::IsFailedPrecondition(Find("0::/../x\n").status()));
  EXPECT_THAT(std::string(Find("3:memory:/a\n").status().message()),
              HasSubstr("names no cgroup below /cg: say with --cgroup-parent"));
}

TEST_F(UnitCgroupTest, WithoutProcThereIsNone) {
  EXPECT_TRUE(
      absl::IsNotFound(UnitCgroup(fs_, "/proc", hierarchies_).status()));
}

}  // namespace
}  // namespace fairsched::kernel
