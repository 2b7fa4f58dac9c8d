// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_RPC_STATS_H_
#define FAIRSCHED_SERVER_RPC_STATS_H_

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "agent/runtime/clock.h"
#include "agent/runtime/mutex.h"
#include "grpcpp/support/server_interceptor.h"

namespace fairsched::server {

// How long unary calls took: a histogram in the sense of Prometheus.
struct RpcDurations {
  static constexpr std::array<double, 7> kBoundsSeconds = {
      0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1};
  std::array<uint64_t, kBoundsSeconds.size() + 1> counts{};  // last: above all
  double sum_seconds = 0;
};

// How many calls ended how, and how long they took. Thread-safe.
class RpcStats {
 public:
  struct Method {
    std::string service;  // "fairsched.v1.UsageService"
    std::string method;   // "WatchUsage"
    friend auto operator<=>(const Method&, const Method&) = default;
  };
  struct MethodCounts {
    std::map<std::string, uint64_t> by_code;  // "OK", "NOT_FOUND", ...
    std::optional<RpcDurations> durations;    // unset: no unary call yet
  };
  using Counts = std::map<Method, MethodCounts>;

  // `path` is "/service/method". A stream's duration says nothing: it has none.
  struct Call {
    absl::string_view path;
    int code = 0;  // a canonical code
    std::optional<absl::Duration> duration;
  };
  void Count(const Call& call) ABSL_LOCKS_EXCLUDED(mutex_);
  Counts Read() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable runtime::Mutex mutex_;
  Counts counts_ ABSL_GUARDED_BY(mutex_);
};

// Counts every call that a server answers in `stats`; both, and `clock`, must
// outlive the server.
std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>
CountCalls(RpcStats& stats, const runtime::Clock& clock);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_RPC_STATS_H_
