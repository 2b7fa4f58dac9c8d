// SPDX-License-Identifier: Apache-2.0
#include "agent/core/recent_use.h"

#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

TEST(RecentUseTest, IsTheMeanOverTheLastSecond) {
  RecentUse recent;
  EXPECT_EQ(recent.Cpus(), 0.0);
  for (int i = 0; i < 30; ++i) {
    recent.Add(absl::Milliseconds(100),
               i < 20 ? CpuTime::Msec(100) : CpuTime::Msec(50));
  }
  EXPECT_EQ(recent.span(), absl::Seconds(1));
  EXPECT_DOUBLE_EQ(recent.Cpus(), 0.5);
}

TEST(RecentUseTest, TheShortestTicksFillASecond) {
  RecentUse recent;
  for (int i = 0; i < 100; ++i)
    recent.Add(absl::Milliseconds(50), CpuTime::Msec(25));
  EXPECT_TRUE(recent.Full());
  EXPECT_DOUBLE_EQ(recent.Cpus(), 0.5);
}

TEST(RecentUseTest, OneLongTickIsAllThereIs) {
  RecentUse recent;
  recent.Add(absl::Milliseconds(100), CpuTime::Msec(100));
  EXPECT_FALSE(recent.Full());
  recent.Add(absl::Seconds(4), CpuTime::Msec(1000));
  EXPECT_TRUE(recent.Full());
  EXPECT_DOUBLE_EQ(recent.Cpus(), 0.25);
}

}  // namespace
}  // namespace fairsched::core
