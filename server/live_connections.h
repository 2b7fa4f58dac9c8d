// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_LIVE_CONNECTIONS_H_
#define FAIRSCHED_SERVER_LIVE_CONNECTIONS_H_

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace fairsched::server {

// Counts the sockets that were given away and are still open.
//
// Whoever got one closes it without a word, so each is looked at: a socket is
// gone once its descriptor names no open file, or another one (a descriptor is
// used again at once, a socket's inode number is not). Not thread-safe.
class LiveConnections {
 public:
  // `fd` is an open socket.
  void Add(int fd);
  // How many are open; a system call for each.
  size_t Count();

 private:
  struct Connection {
    int fd;
    ino_t inode;
  };
  std::vector<Connection> connections_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_LIVE_CONNECTIONS_H_
