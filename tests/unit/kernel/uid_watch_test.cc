// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/uid_watch.h"

#include <deque>
#include <memory>
#include <semaphore>
#include <utility>

#include "agent/runtime/mutex.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

// Gives the hints that the test puts in, one a Wait().
class ScriptedEvents final : public ProcessEvents {
 public:
  explicit ScriptedEvents(std::deque<absl::StatusOr<ProcessHints>> script)
      : script_(std::move(script)) {}

  absl::StatusOr<ProcessHints> Wait() override {
    {
      runtime::MutexLock lock(mutex_);
      if (!script_.empty()) {
        absl::StatusOr<ProcessHints> next = std::move(script_.front());
        script_.pop_front();
        return next;
      }
    }
    interrupted_.acquire();
    return ProcessHints{};
  }
  void Rest(absl::Duration) override {}
  void Interrupt() override { interrupted_.release(); }

 private:
  runtime::Mutex mutex_;
  std::deque<absl::StatusOr<ProcessHints>> script_ ABSL_GUARDED_BY(mutex_);
  std::counting_semaphore<> interrupted_{0};
};

TEST(UidWatchTest, CallsForChangesAndForLossButNotForNothing) {
  std::counting_semaphore<> calls{0};
  {
    UidWatch watch(std::make_unique<ScriptedEvents>(
                       std::deque<absl::StatusOr<ProcessHints>>{
                           ProcessHints{}, ProcessHints{.uid_changed = {1, 2}},
                           ProcessHints{}, ProcessHints{.lost = true}}),
                   [&calls] {
                     calls.release();
                     return absl::ZeroDuration();
                   });
    calls.acquire();
    calls.acquire();
  }
  EXPECT_FALSE(calls.try_acquire());
}

TEST(UidWatchTest, EndsWhereHintsEnd) {
  UidWatch watch(
      std::make_unique<ScriptedEvents>(std::deque<absl::StatusOr<ProcessHints>>{
          absl::InternalError("gone"), ProcessHints{.lost = true}}),
      [] {
        ADD_FAILURE() << "called after the end";
        return absl::ZeroDuration();
      });
}

}  // namespace
}  // namespace fairsched::kernel
