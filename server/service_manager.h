// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_SERVICE_MANAGER_H_
#define FAIRSCHED_SERVER_SERVICE_MANAGER_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "agent/runtime/clock.h"
#include "server/unique_fd.h"

namespace fairsched::server {

// Tells the service manager how the daemon is, by the datagrams of
// sd_notify(3). Where nobody asked to be told, it does nothing. Never waits: a
// datagram that can't go at once is dropped, as systemd's own library would
// make the caller wait.
//
// Alive() is one thread's, the rest anybody's.
class ServiceManager {
 public:
  struct Options {
    std::string socket;  // a path, or '@' and a name; empty: nobody asks
    // To be told of life within this time; nullopt: no watchdog.
    std::optional<absl::Duration> watchdog;
  };
  // What $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID say. Values that make
  // no sense are taken for unset.
  static Options FromEnvironment();

  // `clock` must outlive it.
  ServiceManager(const runtime::Clock& clock, Options options);

  void Ready() const { Send("READY=1"); }
  void Stopping() const { Send("STOPPING=1"); }
  // One line, for `systemctl status`.
  void Status(absl::string_view text) const;
  // To be called with every tick: keeps the watchdog quiet, which takes a
  // datagram four times in its time.
  void Alive();

 private:
  void Send(absl::string_view message) const;

  const runtime::Clock& clock_;
  const Options options_;
  const UniqueFd socket_;
  absl::Duration last_alive_ = -absl::InfiniteDuration();
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_SERVICE_MANAGER_H_
