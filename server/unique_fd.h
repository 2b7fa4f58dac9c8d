// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_UNIQUE_FD_H_
#define FAIRSCHED_SERVER_UNIQUE_FD_H_

#include <unistd.h>

#include <utility>

namespace fairsched::server {

// Owns a file descriptor; negative: none.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.Release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~UniqueFd() { Close(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  // Gives it to the caller.
  int Release() { return std::exchange(fd_, -1); }
  void Close() {
    if (valid()) close(Release());
  }

 private:
  int fd_ = -1;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_UNIQUE_FD_H_
