// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/process_events.h"

#include <arpa/inet.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>

#include "agent/kernel/errno_status.h"

namespace fairsched::kernel {
namespace {

// A datagram holds one event; the kernel never sends more than a page.
constexpr size_t kMaxDatagramBytes = 8192;
// How many datagrams one Wait() takes at most, so that it ends.
constexpr int kMaxDatagrams = 1024;
constexpr absl::string_view kWhat = "process events";

// cn_msg without the array at its end, which C++ has no room for.
struct ConnectorHeader {
  uint32_t idx, val, seq, ack;
  uint16_t len, flags;
};
static_assert(sizeof(ConnectorHeader) == sizeof(cn_msg));

// A header at the front of `bytes`, which then begins behind it.
template <typename Header>
std::optional<Header> Take(absl::string_view& bytes) {
  if (bytes.size() < sizeof(Header)) return std::nullopt;
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  return header;
}

class Socket final : public ProcessEvents {
 public:
  Socket(int fd, int interrupt) : fd_(fd), interrupt_(interrupt) {}
  ~Socket() override {
    if (fd_ >= 0) close(fd_);
    if (interrupt_ >= 0) close(interrupt_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  absl::Status Listen();
  absl::StatusOr<ProcessHints> Wait() override;
  void Rest(absl::Duration time) override;
  void Interrupt() override {
    const uint64_t one = 1;
    // It can only fail if it is already due to wake up.
    [[maybe_unused]] const ssize_t written =
        write(interrupt_, &one, sizeof one);
  }

 private:
  absl::Status PassOnlyUidChanges();
  absl::StatusOr<ProcessHints> Drain();

  const int fd_;
  const int interrupt_;  // an eventfd
};

// A fork bomb must not fill our buffer: everything else is dropped by the
// kernel. (From Linux 6.6 on it could be asked not to send it.)
absl::Status Socket::PassOnlyUidChanges() {
  constexpr uint32_t kWhatOffset =
      NLMSG_HDRLEN + sizeof(cn_msg) + offsetof(proc_event, what);
  // Loads are in network byte order.
  std::array<sock_filter, 4> program = {
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kWhatOffset),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                           htonl(proc_event::PROC_EVENT_UID), 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
      sock_filter BPF_STMT(BPF_RET | BPF_K, 0)};
  const sock_fprog filter = {.len = program.size(), .filter = program.data()};
  if (setsockopt(fd_, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) !=
      0) {
    return ErrnoStatus(errno, "attach a filter to", kWhat);
  }
  return absl::OkStatus();
}

absl::Status Socket::Listen() {
  if (const absl::Status status = PassOnlyUidChanges(); !status.ok())
    return status;
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = CN_IDX_PROC;
  if (bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
      0) {
    return ErrnoStatus(errno, "bind to", kWhat);
  }
  std::array<char, NLMSG_SPACE(sizeof(cn_msg) + sizeof(proc_cn_mcast_op))>
      bytes{};
  nlmsghdr header{};
  header.nlmsg_len = NLMSG_LENGTH(sizeof(cn_msg) + sizeof(proc_cn_mcast_op));
  header.nlmsg_type = NLMSG_DONE;
  ConnectorHeader message{};
  message.idx = CN_IDX_PROC;
  message.val = CN_VAL_PROC;
  message.len = sizeof(proc_cn_mcast_op);
  const proc_cn_mcast_op listen = PROC_CN_MCAST_LISTEN;
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + NLMSG_HDRLEN, &message, sizeof message);
  std::memcpy(bytes.data() + NLMSG_HDRLEN + sizeof message, &listen,
              sizeof listen);
  if (send(fd_, bytes.data(), header.nlmsg_len, 0) < 0)
    return ErrnoStatus(errno, "listen to", kWhat);
  return absl::OkStatus();
}

absl::StatusOr<ProcessHints> Socket::Wait() {
  std::array<pollfd, 2> wait = {
      pollfd{.fd = fd_, .events = POLLIN, .revents = 0},
      pollfd{.fd = interrupt_, .events = POLLIN, .revents = 0}};
  while (poll(wait.data(), wait.size(), -1) < 0) {
    if (errno != EINTR) return ErrnoStatus(errno, "wait for", kWhat);
  }
  if (wait[1].revents != 0) return ProcessHints{};
  return Drain();
}

void Socket::Rest(absl::Duration time) {
  pollfd wait = {.fd = interrupt_, .events = POLLIN, .revents = 0};
  // Woken too early by a signal, it does no harm.
  poll(&wait, 1,
       static_cast<int>(std::clamp<int64_t>(absl::ToInt64Milliseconds(time), 0,
                                            int64_t{1} << 30)));
}

absl::StatusOr<ProcessHints> Socket::Drain() {
  ProcessHints all;
  std::array<char, kMaxDatagramBytes> bytes;
  for (int i = 0; i < kMaxDatagrams; ++i) {
    sockaddr_nl sender{};
    socklen_t sender_size = sizeof sender;
    const ssize_t size =
        recvfrom(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT,
                 reinterpret_cast<sockaddr*>(&sender), &sender_size);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (size < 0 && errno != ENOBUFS) return ErrnoStatus(errno, "read", kWhat);
    if (size < 0) {
      all.lost = true;
      continue;
    }
    // Anybody may send to us; only the kernel has the port 0.
    if (sender.nl_pid != 0) continue;
    ProcessHints one = ParseProcessEvents(
        absl::string_view(bytes.data(), static_cast<size_t>(size)));
    all.lost |= one.lost;
    all.uid_changed.insert(all.uid_changed.end(), one.uid_changed.begin(),
                           one.uid_changed.end());
  }
  return all;
}

}  // namespace

ProcessHints ParseProcessEvents(absl::string_view datagram) {
  ProcessHints hints;
  while (!datagram.empty()) {
    absl::string_view rest = datagram;
    const auto header = Take<nlmsghdr>(rest);
    if (!header.has_value() || header->nlmsg_len < NLMSG_HDRLEN ||
        header->nlmsg_len > datagram.size()) {
      return {.uid_changed = hints.uid_changed, .lost = true};
    }
    absl::string_view body =
        datagram.substr(NLMSG_HDRLEN, header->nlmsg_len - NLMSG_HDRLEN);
    datagram.remove_prefix(
        std::min<size_t>(NLMSG_ALIGN(header->nlmsg_len), datagram.size()));
    if (header->nlmsg_type == NLMSG_NOOP) continue;
    const auto message = Take<ConnectorHeader>(body);
    if (header->nlmsg_type == NLMSG_ERROR ||
        header->nlmsg_type == NLMSG_OVERRUN || !message.has_value() ||
        message->len > body.size()) {
      hints.lost = true;
      continue;
    }
    if (message->idx != CN_IDX_PROC || message->val != CN_VAL_PROC) continue;
    constexpr size_t kLeast =
        offsetof(proc_event, event_data) + sizeof(proc_event::event_data.id);
    if (body.size() < kLeast) {
      hints.lost = true;
      continue;
    }
    proc_event event{};
    std::memcpy(&event, body.data(), std::min(body.size(), sizeof event));
    if (event.what == proc_event::PROC_EVENT_UID)
      hints.uid_changed.push_back(event.event_data.id.process_tgid);
  }
  return hints;
}

absl::StatusOr<std::unique_ptr<ProcessEvents>> OpenProcessEvents() {
  const int fd =
      socket(PF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_CONNECTOR);
  if (fd < 0) return ErrnoStatus(errno, "open", kWhat);
  auto events =
      std::make_unique<Socket>(fd, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (absl::Status status = events->Listen(); !status.ok()) return status;
  return events;
}

}  // namespace fairsched::kernel
