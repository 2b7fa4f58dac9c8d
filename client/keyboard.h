// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_KEYBOARD_H_
#define FAIRSCHED_CLIENT_KEYBOARD_H_

#include <termios.h>

namespace fairsched::client {

// A terminal that hands out keys as they are pressed, unseen. As it was before
// when this ends. Ctrl-C stays a signal.
class Keyboard {
 public:
  // `fd` is not owned; -1: there is no keyboard.
  explicit Keyboard(int fd);
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  int fd() const { return fd_; }

  // Reads what was typed. True if a q is in it, or if the terminal is gone.
  bool ReadQuit();

 private:
  const int fd_;
  bool changed_ = false;
  termios before_{};
};

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_KEYBOARD_H_
