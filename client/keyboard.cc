// SPDX-License-Identifier: Apache-2.0
#include "client/keyboard.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace fairsched::client {

Keyboard::Keyboard(int fd) : fd_(fd) {
  if (fd_ < 0 || tcgetattr(fd_, &before_) != 0) return;
  termios keys = before_;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  changed_ = tcsetattr(fd_, TCSANOW, &keys) == 0;
}

Keyboard::~Keyboard() {
  if (changed_) tcsetattr(fd_, TCSANOW, &before_);
}

bool Keyboard::ReadQuit() {
  char keys[64];
  const ssize_t count = read(fd_, keys, sizeof(keys));
  if (count < 0) return errno != EINTR;
  return count == 0 ||
         std::memchr(keys, 'q', static_cast<size_t>(count)) != nullptr;
}

}  // namespace fairsched::client
