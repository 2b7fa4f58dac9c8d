// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/sampled_usage.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::kernel {
namespace {

constexpr int64_t kUid = 1001;

ProcPidStat Stat(int64_t start, int64_t utime, int64_t stime = 0) {
  return {.utime_ticks = utime, .stime_ticks = stime, .start_ticks = start};
}

class SampledUsageTest : public ::testing::Test {
 protected:
  struct Entry {
    int64_t pid;
    ProcPidStat stat;
    int64_t uid = kUid;
  };
  void Scan(std::optional<int64_t> uptime, const std::vector<Entry>& entries) {
    usage_.BeginScan(uptime);
    for (const Entry& entry : entries)
      usage_.Add(entry.uid, entry.pid, entry.stat);
    usage_.EndScan();
  }
  int64_t Msec(int64_t uid = kUid) const {
    return usage_.Of(uid).usec() / 1000;
  }

  SampledUsage usage_{100};
};

TEST_F(SampledUsageTest, CountsFromTheFirstScanOn) {
  Scan(1000, {{1, Stat(10, 500)}});
  EXPECT_EQ(Msec(), 0);

  Scan(1100, {{1, Stat(10, 520, 5)}});

  EXPECT_EQ(Msec(), 250);
}

TEST_F(SampledUsageTest, AProcessThatStartedSinceCountsWhole) {
  Scan(1000, {});

  Scan(1100, {{1, Stat(1000, 30)}, {2, Stat(1099, 4)}});

  EXPECT_EQ(Msec(), 340);
}

TEST_F(SampledUsageTest, AnOlderProcessSeenForTheFirstTimeCountsFromThere) {
  Scan(1000, {});

  Scan(1100, {{1, Stat(999, 30)}});
  EXPECT_EQ(Msec(), 0);
  Scan(1200, {{1, Stat(999, 31)}});

  EXPECT_EQ(Msec(), 10);
}

TEST_F(SampledUsageTest, APidThatIsGivenAnewIsAnotherProcess) {
  Scan(1000, {{1, Stat(10, 500)}});

  Scan(1100, {{1, Stat(1050, 7)}});

  EXPECT_EQ(Msec(), 70);
}

TEST_F(SampledUsageTest, NeverGoesBack) {
  Scan(1000, {{1, Stat(10, 500)}});
  Scan(1100, {{1, Stat(10, 600)}});

  Scan(1200, {{1, Stat(10, 590)}});
  EXPECT_EQ(Msec(), 1000);
  Scan(1300, {});

  EXPECT_EQ(Msec(), 1000);
}

TEST_F(SampledUsageTest, AChangeOfUidCountsFromTheChangeOn) {
  Scan(1000, {{1, Stat(10, 500)}});
  Scan(1100, {{1, Stat(10, 510)}});

  Scan(1200, {{1, Stat(10, 530), 1002}});

  EXPECT_EQ(Msec(), 100);
  EXPECT_EQ(Msec(1002), 200);
}

TEST_F(SampledUsageTest, WithoutAnUptimeNothingCountsWhole) {
  Scan(std::nullopt, {});

  Scan(1100, {{1, Stat(1050, 30)}});

  EXPECT_EQ(Msec(), 0);
}

TEST_F(SampledUsageTest, TicksBecomeMicrosecondsWithoutLoss) {
  SampledUsage usage(1024);
  usage.BeginScan(0);
  usage.EndScan();
  usage.BeginScan(2000);

  usage.Add(kUid, 1, Stat(0, 1024 + 512));

  EXPECT_EQ(usage.Of(kUid).usec(), 1500000);
}

TEST(ReadUptimeTicksTest, IsInTheUnitOfStartTimes) {
  testing::FakeCgroupFs fs;
  fs.Put("/proc/uptime", "993.61 1938.75\n");
  EXPECT_EQ(*ReadUptimeTicks(fs, "/proc", 100), 99361);

  for (const char* const bad : {"", "x y", "-1 2", "nan 1", "inf 1"}) {
    fs.Put("/proc/uptime", bad);
    EXPECT_TRUE(
        absl::IsInvalidArgument(ReadUptimeTicks(fs, "/proc", 100).status()))
        << bad;
  }
}

}  // namespace
}  // namespace fairsched::kernel
