// SPDX-License-Identifier: Apache-2.0
#include "server/http_server.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "server/http_library.h"

namespace fairsched::server {
namespace {

using httplib::Request;
using httplib::Response;
using httplib::Server;

constexpr size_t kThreads = 4;
constexpr time_t kTimeoutSeconds = 2;
constexpr time_t kKeepAliveSeconds = 2;
constexpr size_t kRequestsPerConnection = 8;
constexpr size_t kMaxPayloadBytes = 1024;

constexpr char kPlain[] = "text/plain; charset=utf-8";
constexpr char kPrometheus[] = "text/plain; version=0.0.4; charset=utf-8";
constexpr char kLanding[] =
    "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
    "<title>fairsched</title></head>\n<body>\n<h1>fairsched " FAIRSCHED_VERSION
    "</h1>\n<ul>\n"
    "<li><a href=\"/metrics\">/metrics</a>: for Prometheus</li>\n"
    "<li><a href=\"/healthz\">/healthz</a>: 200 while the daemon runs</li>\n"
    "<li><a href=\"/readyz\">/readyz</a>: 200 once it has sampled the "
    "node</li>\n</ul>\n</body>\n</html>\n";

bool IsOurs(const std::string& host) {
  return host == "localhost" || host == "127.0.0.1" || host == "::1";
}

void SetBounds(Server& server) {
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  server.set_read_timeout(kTimeoutSeconds);
  server.set_write_timeout(kTimeoutSeconds);
  server.set_keep_alive_timeout(kKeepAliveSeconds);
  server.set_keep_alive_max_count(kRequestsPerConnection);
  server.set_payload_max_length(kMaxPayloadBytes);
  // The library's own choice would let two daemons share one port.
  server.set_socket_options([](int socket) {
    const int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  });
  server.set_default_headers(
      {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}});
}

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(
    absl::string_view address, HttpPages pages) {
  ASSIGN_OR_RETURN(HostPort parsed, ParseLoopback(address));
  std::unique_ptr<HttpServer> http(
      new HttpServer(std::move(parsed), std::move(pages)));
  http->AddPages();
  RETURN_IF_ERROR(http->Bind());
  http->Run();
  return http;
}

HttpServer::HttpServer(HostPort address, HttpPages pages)
    : address_(std::move(address)),
      pages_(std::move(pages)),
      server_(std::make_unique<Server>()) {}

HttpServer::~HttpServer() { Stop(); }

void HttpServer::AddPages() {
  SetBounds(*server_);
  server_->set_pre_routing_handler(
      [own = address_.host](const Request& request, Response& response) {
        const std::string host = HostOf(request.get_header_value("Host"));
        if (IsOurs(host) || host == own) {
          return Server::HandlerResponse::Unhandled;
        }
        response.status = 403;
        response.set_content("403: this is not the host that you asked for\n",
                             kPlain);
        return Server::HandlerResponse::Handled;
      });
  server_->Get("/", [](const Request&, Response& response) {
    response.set_content(kLanding, "text/html; charset=utf-8");
  });
  server_->Get("/metrics", [this](const Request&, Response& response) {
    response.set_content(*pages_.metrics(), kPrometheus);
  });
  server_->Get("/healthz", [](const Request&, Response& response) {
    response.set_content("ok\n", kPlain);
  });
  server_->Get("/readyz", [this](const Request&, Response& response) {
    const bool ready = pages_.ready();
    response.status = ready ? 200 : 503;
    response.set_content(ready ? "ok\n" : "503: not ready: no tick yet\n",
                         kPlain);
  });
}

absl::Status HttpServer::Bind() {
  errno = 0;
  bool bound = false;
  if (address_.port == 0) {
    address_.port = server_->bind_to_any_port(address_.host);
    bound = address_.port > 0;
  } else {
    bound = server_->bind_to_port(address_.host, address_.port);
  }
  if (bound) return absl::OkStatus();
  // The library says only that it failed; errno is what its last call left.
  return absl::UnavailableError(absl::StrCat(
      "listen on ", address_.host, ":", address_.port, ": ", strerror(errno)));
}

void HttpServer::Run() {
  thread_ = std::thread([this] { server_->listen_after_bind(); });
  // Until it runs, the library would forget that it was told to stop.
  while (!server_->is_running()) std::this_thread::yield();
}

void HttpServer::Stop() {
  if (!thread_.joinable()) return;
  server_->stop();
  thread_.join();
}

}  // namespace fairsched::server
