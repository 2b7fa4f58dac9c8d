// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "agent/kernel/errno_status.h"

namespace fairsched::kernel {

absl::StatusOr<std::unique_ptr<CgroupWatch>> CgroupWatch::Open(
    OnChange on_change) {
  const int inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (inotify < 0) return ErrnoStatus(errno, "open", "inotify");
  const int stop = eventfd(0, EFD_CLOEXEC);
  if (stop < 0) {
    const int error = errno;
    close(inotify);
    return ErrnoStatus(error, "open", "eventfd");
  }
  return std::unique_ptr<CgroupWatch>(
      new CgroupWatch(inotify, stop, std::move(on_change)));
}

CgroupWatch::CgroupWatch(int inotify, int stop, OnChange on_change)
    : inotify_(inotify),
      stop_(stop),
      on_change_(std::move(on_change)),
      thread_([this] { Run(); }) {}

CgroupWatch::~CgroupWatch() {
  const uint64_t one = 1;
  // It can only fail if it is already due to wake up.
  [[maybe_unused]] const ssize_t written = write(stop_, &one, sizeof one);
  thread_.join();
  close(inotify_);
  close(stop_);
}

void CgroupWatch::Set(const std::set<std::string>& directories) {
  std::set<int> watches;
  for (const std::string& directory : directories) {
    if (watches.size() == kMaxDirectories) break;
    // One that is watched already keeps its number.
    const int watch = inotify_add_watch(
        inotify_, directory.c_str(),
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR);
    // What can't be watched, or is gone, is found by scans.
    if (watch >= 0) watches.insert(watch);
  }
  // The kernel keeps a removed cgroup for as long as it is watched.
  for (const int watch : watches_) {
    if (!watches.contains(watch)) inotify_rm_watch(inotify_, watch);
  }
  watches_ = std::move(watches);
}

void CgroupWatch::Run() {
  while (Wait(/*for_changes=*/true, absl::InfiniteDuration())) {
    Drain();
    if (!Wait(/*for_changes=*/false, on_change_())) return;
  }
}

bool CgroupWatch::Wait(bool for_changes, absl::Duration time) {
  constexpr absl::Duration kLongest = absl::Hours(1);
  std::array<pollfd, 2> fds = {
      pollfd{.fd = stop_, .events = POLLIN, .revents = 0},
      pollfd{.fd = inotify_, .events = POLLIN, .revents = 0}};
  const int timeout = time == absl::InfiniteDuration()
                          ? -1
                          : static_cast<int>(absl::ToInt64Milliseconds(
                                std::min(time, kLongest)));
  int ready = 0;
  do {
    ready = poll(fds.data(), for_changes ? 2 : 1, timeout);
  } while (ready < 0 && errno == EINTR);
  return ready >= 0 && fds[0].revents == 0;
}

// What happened, and where, the scan will see.
void CgroupWatch::Drain() {
  std::array<char, 4096> buffer;
  while (read(inotify_, buffer.data(), buffer.size()) > 0) continue;
}

}  // namespace fairsched::kernel
