// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/mutex.h"

#include <thread>

#include "gtest/gtest.h"

namespace fairsched::runtime {
namespace {

struct Counter {
  Mutex mutex;
  int value ABSL_GUARDED_BY(mutex) = 0;
};

TEST(MutexTest, KeepsTwoThreadsApartAndShowsItToTheSanitizer) {
  Counter counter;
  const auto count = [&counter] {
    for (int i = 0; i < 10'000; ++i) {
      MutexLock lock(counter.mutex);
      ++counter.value;
    }
  };
  std::thread a(count), b(count);
  a.join();
  b.join();
  MutexLock lock(counter.mutex);
  EXPECT_EQ(counter.value, 20'000);
}

}  // namespace
}  // namespace fairsched::runtime
