// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_FAKE_CLOCK_H_
#define FAIRSCHED_TESTS_SUPPORT_FAKE_CLOCK_H_

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "agent/runtime/clock.h"
#include "agent/runtime/mutex.h"

namespace fairsched::testing {

// Time moves when the test says so. Thread-safe.
class FakeClock final : public runtime::Clock {
 public:
  absl::Duration Now() const override {
    runtime::MutexLock lock(mutex_);
    return now_;
  }
  absl::Time WallTime() const override {
    return absl::FromUnixSeconds(1'700'000'000) + Now();
  }
  void Advance(absl::Duration by) {
    runtime::MutexLock lock(mutex_);
    now_ += by;
  }

 private:
  mutable runtime::Mutex mutex_;
  absl::Duration now_ ABSL_GUARDED_BY(mutex_) = absl::Seconds(1000);
};

}  // namespace fairsched::testing

#endif  // FAIRSCHED_TESTS_SUPPORT_FAKE_CLOCK_H_
