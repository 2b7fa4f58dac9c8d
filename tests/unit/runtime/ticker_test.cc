// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/ticker.h"

#include <atomic>

#include "agent/runtime/snapshot.h"
#include "gtest/gtest.h"

namespace fairsched::runtime {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(100);

TEST(NextDeadlineTest, IsAFixedPointOfTimeLaterThanNow) {
  const absl::Duration start = absl::Seconds(5);
  EXPECT_EQ(NextDeadline(start, kTick, start), start + kTick);
  EXPECT_EQ(NextDeadline(start, kTick, start + absl::Milliseconds(30)),
            start + kTick);
  EXPECT_EQ(NextDeadline(start, kTick, start + kTick), start + kTick * 2);
}

TEST(NextDeadlineTest, MissedTicksAreSkipped) {
  EXPECT_EQ(NextDeadline(absl::ZeroDuration(), kTick, absl::Milliseconds(730)),
            absl::Milliseconds(800));
}

TEST(NextDeadlineTest, AClockThatGoesBackWaitsForTheFirstTick) {
  EXPECT_EQ(NextDeadline(absl::Seconds(5), kTick, absl::Seconds(1)),
            absl::Seconds(5) + kTick);
}

TEST(TickerTest, WorksUntilItIsStopped) {
  const SystemClock clock;
  std::atomic<int> calls = 0;
  Ticker ticker(
      clock, [] { return absl::Milliseconds(1); }, [&calls] { ++calls; });
  while (calls < 3) std::this_thread::yield();
  ticker.Stop();
  const int stopped = calls;
  ticker.Stop();
  EXPECT_EQ(calls, stopped);
}

TEST(TickHistogramTest, CountsByUpperBound) {
  TickHistogram histogram;
  histogram.Observe(absl::Microseconds(100));
  histogram.Observe(absl::Microseconds(101));
  histogram.Observe(absl::Seconds(3));
  EXPECT_EQ(histogram.counts.front(), 1u);
  EXPECT_EQ(histogram.counts[1], 1u);
  EXPECT_EQ(histogram.counts.back(), 1u);
  EXPECT_NEAR(histogram.sum_seconds, 3.000201, 1e-9);
}

}  // namespace
}  // namespace fairsched::runtime
