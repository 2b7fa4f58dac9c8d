// SPDX-License-Identifier: Apache-2.0
#include "server/live_connections.h"

#include <sys/stat.h>

namespace fairsched::server {

void LiveConnections::Add(int fd) {
  struct stat file = {};
  if (fstat(fd, &file) == 0) {
    connections_.push_back({.fd = fd, .inode = file.st_ino});
  }
}

size_t LiveConnections::Count() {
  std::erase_if(connections_, [](const Connection& connection) {
    struct stat file = {};
    return fstat(connection.fd, &file) != 0 || !S_ISSOCK(file.st_mode) ||
           file.st_ino != connection.inode;
  });
  return connections_.size();
}

}  // namespace fairsched::server
