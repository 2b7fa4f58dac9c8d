// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/dispute.h"

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

// Put back `times` times, a tenth of a second apart, ending at `end`.
Dispute ForcedUntil(absl::Duration end, size_t times) {
  Dispute dispute;
  for (size_t i = times; i > 0; --i)
    dispute.Forced(end - absl::Milliseconds(100) * static_cast<int>(i - 1));
  return dispute;
}

constexpr absl::Duration kEnd = absl::Seconds(100);

TEST(DisputeTest, ThereIsNoneAtFirst) {
  EXPECT_FALSE(Dispute().Recent(kEnd));
  EXPECT_FALSE(Dispute().Lost(kEnd));
  EXPECT_TRUE(Dispute().MayForce(kEnd));
}

TEST(DisputeTest, AFewTimesAreAnAccident) {
  const Dispute dispute = ForcedUntil(kEnd, Dispute::kMaxForced);
  EXPECT_TRUE(dispute.Recent(kEnd));
  EXPECT_FALSE(dispute.Lost(kEnd));
  EXPECT_TRUE(dispute.MayForce(kEnd));
}

TEST(DisputeTest, MoreInAMinuteIsAnotherWriterWithWhomItSlowsDown) {
  const Dispute dispute = ForcedUntil(kEnd, Dispute::kMaxForced + 1);
  EXPECT_TRUE(dispute.Lost(kEnd));
  EXPECT_FALSE(dispute.MayForce(kEnd + Dispute::kSlowPace / 2));
  EXPECT_TRUE(dispute.MayForce(kEnd + Dispute::kSlowPace));
}

TEST(DisputeTest, AtTheSlowPaceItIsStillLost) {
  Dispute dispute = ForcedUntil(kEnd, Dispute::kMaxForced + 1);
  for (int i = 1; i <= 100; ++i) {
    const absl::Duration at = kEnd + Dispute::kSlowPace * i;
    ASSERT_TRUE(dispute.Lost(at)) << at;
    ASSERT_TRUE(dispute.MayForce(at)) << at;
    dispute.Forced(at);
  }
}

TEST(DisputeTest, ItIsForgottenAfterAMinuteOfPeace) {
  const Dispute dispute = ForcedUntil(kEnd, Dispute::kMaxForced + 1);
  const absl::Duration later = kEnd + Dispute::kMemory;
  EXPECT_FALSE(dispute.Recent(later));
  EXPECT_FALSE(dispute.Lost(later));
  EXPECT_TRUE(dispute.MayForce(later));
}

TEST(DisputeTest, OftenButSeldomInAMinuteIsNeverLost) {
  Dispute dispute;
  for (int i = 0; i < 100; ++i) {
    const absl::Duration at = absl::Seconds(13) * i;
    dispute.Forced(at);
    ASSERT_FALSE(dispute.Lost(at)) << at;
  }
}

}  // namespace
}  // namespace fairsched::kernel
