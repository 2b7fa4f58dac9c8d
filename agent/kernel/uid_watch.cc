// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/uid_watch.h"

#include <utility>

namespace fairsched::kernel {

UidWatch::UidWatch(std::unique_ptr<ProcessEvents> events, OnChange on_change)
    : events_(std::move(events)),
      on_change_(std::move(on_change)),
      thread_([this] { Run(); }) {}

UidWatch::~UidWatch() {
  stopping_ = true;
  events_->Interrupt();
  thread_.join();
}

void UidWatch::Run() {
  while (WaitForChange()) events_->Rest(on_change_());
}

bool UidWatch::WaitForChange() {
  while (!stopping_) {
    const absl::StatusOr<ProcessHints> hints = events_->Wait();
    if (!hints.ok()) return false;
    if (!stopping_ && (hints->lost || !hints->uid_changed.empty())) return true;
  }
  return false;
}

}  // namespace fairsched::kernel
