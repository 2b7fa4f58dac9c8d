// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_HTTP_SERVER_H_
#define FAIRSCHED_SERVER_HTTP_SERVER_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/host_port.h"

namespace httplib {
class Server;
}

namespace fairsched::server {

// What the pages show. Called by several threads at a time.
struct HttpPages {
  std::function<std::shared_ptr<const std::string>()> metrics;
  std::function<bool()> ready;  // the first tick is done
};

// Serves /metrics, /healthz, /readyz and a page with links to them on a
// loopback address. Answers only requests for a loopback host name: another
// one was resolved to this address to get round the browser's rules.
class HttpServer {
 public:
  // InvalidArgument: see ParseLoopback(). Unavailable, with cause: the address
  // cannot be had.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(
      absl::string_view address, HttpPages pages);

  ~HttpServer();  // calls Stop()
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // The one that was taken, if any was asked for.
  int port() const { return address_.port; }
  // Waits for requests that are being answered, a few seconds at most.
  // Idempotent; from one thread at a time.
  void Stop();

 private:
  HttpServer(HostPort address, HttpPages pages);
  void AddPages();
  absl::Status Bind();
  void Run();

  HostPort address_;
  const HttpPages pages_;
  std::unique_ptr<httplib::Server> server_;
  std::thread thread_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_HTTP_SERVER_H_
