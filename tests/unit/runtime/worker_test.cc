// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/worker.h"

#include <atomic>
#include <semaphore>

#include "gtest/gtest.h"

namespace fairsched::runtime {
namespace {

TEST(WorkerTest, WorksAtTheIntervalThatEachTurnChooses) {
  std::counting_semaphore<> turns(0);
  Worker worker;

  worker.Start(absl::ZeroDuration(), [&turns] {
    turns.release();
    return absl::ZeroDuration();
  });

  for (int i = 0; i < 3; ++i) turns.acquire();
}

TEST(WorkerTest, WakingEndsAWaitOfAnyLength) {
  std::counting_semaphore<> turns(0);
  Worker worker;
  worker.Start(absl::InfiniteDuration(), [&turns] {
    turns.release();
    return absl::InfiniteDuration();
  });

  for (int i = 0; i < 3; ++i) {
    worker.Wake();
    turns.acquire();
  }
}

TEST(WorkerTest, AWakeUpDuringATurnIsNotLost) {
  std::counting_semaphore<> turns(0);
  std::atomic<int> count = 0;
  Worker worker;
  worker.Start(absl::ZeroDuration(), [&] {
    if (++count == 1) worker.Wake();
    turns.release();
    return absl::InfiniteDuration();
  });

  turns.acquire();
  turns.acquire();
  worker.Stop();

  EXPECT_EQ(count, 2);
}

TEST(WorkerTest, ManyWakeUpsBeforeTheStartAreOne) {
  std::counting_semaphore<> turns(0);
  std::atomic<int> count = 0;
  Worker worker;
  for (int i = 0; i < 10; ++i) worker.Wake();

  worker.Start(absl::InfiniteDuration(), [&] {
    ++count;
    turns.release();
    return absl::InfiniteDuration();
  });
  turns.acquire();
  worker.Stop();

  EXPECT_EQ(count, 1);
}

TEST(WorkerTest, NoTurnFollowsAStop) {
  std::atomic<int> count = 0;
  Worker worker;
  worker.Start(absl::InfiniteDuration(), [&count] {
    ++count;
    return absl::InfiniteDuration();
  });

  worker.Stop();
  worker.Stop();

  EXPECT_EQ(count, 0);
}

TEST(WorkerTest, StartsAgainAfterAStop) {
  std::counting_semaphore<> turns(0);
  const auto turn = [&turns] {
    turns.release();
    return absl::InfiniteDuration();
  };
  Worker worker;
  worker.Start(absl::ZeroDuration(), turn);
  turns.acquire();
  worker.Stop();

  worker.Start(absl::ZeroDuration(), turn);

  turns.acquire();
}

}  // namespace
}  // namespace fairsched::runtime
