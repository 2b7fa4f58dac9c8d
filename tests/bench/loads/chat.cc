// SPDX-License-Identifier: Apache-2.0
//
// chat FILE SECONDS CLIENTS
//
// A room of CLIENTS over loopback sockets, each with a thread of its own and
// one of the server. Each says a line; when it has read what all said, the next
// one. The first eight bytes of FILE count lines read. Ends after SECONDS at
// most.

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/bench/loads/counter.h"

namespace fairsched::bench {
namespace {

constexpr size_t kLineBytes = 100;
constexpr int kMostClients = 100;
using Line = std::array<char, kLineBytes>;

// One end at the server and one at the client. Exits on any error: the load is
// no use then, and its counter stands still.
struct Connection {
  int server;
  int client;
};

void Check(bool fine, const char* what) {
  if (fine) return;
  std::perror(what);
  std::exit(1);
}

std::vector<Connection> Connect(int count) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* where = reinterpret_cast<sockaddr*>(&address);
  Check(bind(listener, where, size) == 0, "chat: bind");
  Check(listen(listener, count) == 0, "chat: listen");
  Check(getsockname(listener, where, &size) == 0, "chat: getsockname");
  std::vector<Connection> connections;
  for (int i = 0; i < count; ++i) {
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    Check(connect(client, where, size) == 0, "chat: connect");
    const int server = accept(listener, nullptr, nullptr);
    Check(server >= 0, "chat: accept");
    const int on = 1;
    for (const int end : {client, server}) {
      setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    connections.push_back({server, client});
  }
  return connections;
}

void Read(int end, Line& line) {
  Check(recv(end, line.data(), line.size(), MSG_WAITALL) ==
            static_cast<ssize_t>(line.size()),
        "chat: recv");
}

void Write(int end, const Line& line) {
  Check(send(end, line.data(), line.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(line.size()),
        "chat: send");
}

void Serve(const std::vector<Connection>& room, std::vector<std::mutex>& locks,
           size_t self) {
  for (Line line;;) {
    Read(room[self].server, line);
    for (size_t to = 0; to < room.size(); ++to) {
      const std::lock_guard lock(locks[to]);
      Write(room[to].server, line);
    }
  }
}

void Talk(const std::vector<Connection>& room, size_t self,
          std::atomic<uint64_t>* lines) {
  for (Line line{};;) {
    Write(room[self].client, line);
    for (size_t from = 0; from < room.size(); ++from)
      Read(room[self].client, line);
    lines->fetch_add(room.size(), std::memory_order_relaxed);
  }
}

int Run(int argc, char** argv) {
  const int clients = argc == 4 ? std::atoi(argv[3]) : 0;
  if (clients < 1 || clients > kMostClients) {
    std::fprintf(stderr, "chat: takes FILE SECONDS CLIENTS, of which 1..%d\n",
                 kMostClients);
    return 2;
  }
  std::atomic<uint64_t>* lines = MapCounter(argv[1]);
  Check(lines != nullptr, "chat: counter file");
  const std::vector<Connection> room = Connect(clients);
  std::vector<std::mutex> locks(room.size());
  for (size_t i = 0; i < room.size(); ++i) {
    std::thread([&, i] { Serve(room, locks, i); }).detach();
    std::thread([&, i] { Talk(room, i, lines); }).detach();
  }
  std::this_thread::sleep_for(std::chrono::seconds(std::atoi(argv[2])));
  std::_Exit(0);
}

}  // namespace
}  // namespace fairsched::bench

int main(int argc, char** argv) { return fairsched::bench::Run(argc, argv); }
