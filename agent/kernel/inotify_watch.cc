// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/inotify_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "agent/kernel/errno_status.h"

namespace fairsched::kernel {
namespace {

class InotifyWatch final : public ModifyWatch {
 public:
  explicit InotifyWatch(int fd) : fd_(fd) {}
  ~InotifyWatch() override { ::close(fd_); }
  InotifyWatch(const InotifyWatch&) = delete;
  InotifyWatch& operator=(const InotifyWatch&) = delete;

  absl::StatusOr<int> Add(absl::string_view directory) override {
    const int watch = ::inotify_add_watch(fd_, std::string(directory).c_str(),
                                          IN_MODIFY | IN_ONLYDIR);
    if (watch < 0) return ErrnoStatus(errno, "watch", directory);
    return watch;
  }

  void Remove(int watch) override { ::inotify_rm_watch(fd_, watch); }

  Batch Drain() override {
    Batch batch;
    alignas(inotify_event) char buffer[1 << 14];
    while (true) {
      const ssize_t got = ::read(fd_, buffer, sizeof(buffer));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return batch;  // EAGAIN: that was all
      Take(absl::string_view(buffer, static_cast<size_t>(got)), batch);
    }
  }

 private:
  static void Take(absl::string_view events, Batch& batch) {
    while (events.size() >= sizeof(inotify_event)) {
      inotify_event event;
      std::memcpy(&event, events.data(), sizeof(event));
      const absl::string_view name = events.substr(sizeof(event), event.len);
      if ((event.mask & IN_Q_OVERFLOW) != 0) batch.lost = true;
      if ((event.mask & IN_MODIFY) != 0) {
        // Padded with NULs.
        batch.events.push_back(
            {event.wd, std::string(name.substr(0, name.find('\0')))});
      }
      events.remove_prefix(sizeof(event) + event.len);
    }
  }

  const int fd_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ModifyWatch>> OpenInotifyWatch() {
  const int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) return ErrnoStatus(errno, "open", "inotify");
  return std::make_unique<InotifyWatch>(fd);
}

}  // namespace fairsched::kernel
