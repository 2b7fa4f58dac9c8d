// SPDX-License-Identifier: Apache-2.0
#include "server/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace fairsched::server {
namespace {

std::string Environment(const char* name) {
  // Read before there are threads.
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

std::optional<absl::Duration> Watchdog() {
  int64_t usec = 0;
  if (!absl::SimpleAtoi(Environment("WATCHDOG_USEC"), &usec) || usec <= 0)
    return std::nullopt;
  // Set: it is meant for that process alone, not for those that inherit it.
  const std::string pid = Environment("WATCHDOG_PID");
  if (!pid.empty() && pid != absl::StrCat(getpid())) return std::nullopt;
  return absl::Microseconds(usec);
}

}  // namespace

ServiceManager::Options ServiceManager::FromEnvironment() {
  return {.socket = Environment("NOTIFY_SOCKET"), .watchdog = Watchdog()};
}

ServiceManager::ServiceManager(const runtime::Clock& clock, Options options)
    : clock_(clock),
      options_(std::move(options)),
      socket_(options_.socket.empty()
                  ? -1
                  : socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
                           0)) {}

void ServiceManager::Status(absl::string_view text) const {
  // The next line would be another message.
  Send(absl::StrCat("STATUS=", text.substr(0, text.find('\n'))));
}

void ServiceManager::Alive() {
  if (!options_.watchdog.has_value()) return;
  const absl::Duration now = clock_.Now();
  if (now - last_alive_ < *options_.watchdog / 4) return;
  last_alive_ = now;
  Send("WATCHDOG=1");
}

void ServiceManager::Send(absl::string_view message) const {
  const std::string& name = options_.socket;
  sockaddr_un address = {};
  if (!socket_.valid() || name.size() >= sizeof(address.sun_path)) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, name.data(), name.size());
  // Linux' own name space: there the name begins with a zero, and ends where
  // the length says.
  if (name.front() == '@') address.sun_path[0] = '\0';
  const size_t size = offsetof(sockaddr_un, sun_path) + name.size();
  // Dropped: the next one says the same, or the manager is no more.
  static_cast<void>(sendto(socket_.get(), message.data(), message.size(),
                           MSG_NOSIGNAL,
                           reinterpret_cast<const sockaddr*>(&address),
                           static_cast<socklen_t>(size)));
}

}  // namespace fairsched::server
