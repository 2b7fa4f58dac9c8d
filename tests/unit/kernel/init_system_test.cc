// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/init_system.h"

#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::kernel {
namespace {

TEST(IsSystemdTest, TheNameOfPid1SaysIt) {
  testing::FakeCgroupFs fs;
  fs.Put("/host/proc/1/comm", "systemd\n");
  EXPECT_EQ(IsSystemd(fs, "/host/proc").value(), true);
  for (const char* other : {"init\n", "systemd-nspawn\n", "a systemd\n", ""}) {
    fs.Put("/host/proc/1/comm", other);
    EXPECT_EQ(IsSystemd(fs, "/host/proc").value(), false) << other;
  }
}

TEST(IsSystemdTest, WhatCantBeReadIsNotKnown) {
  testing::FakeCgroupFs fs;
  EXPECT_TRUE(absl::IsNotFound(IsSystemd(fs, "/proc").status()));
}

}  // namespace
}  // namespace fairsched::kernel
