// SPDX-License-Identifier: Apache-2.0
#include "server/rpc_stats.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace fairsched::server {
namespace {

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::InterceptorBatchMethods;
using grpc::experimental::ServerRpcInfo;
using runtime::MutexLock;

// A caller can make up names of methods; we have fewer than this.
constexpr size_t kMaxMethods = 40;

RpcStats::Method Parse(absl::string_view path) {
  absl::ConsumePrefix(&path, "/");
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(path, absl::MaxSplits('/', 1));
  return {.service = std::string(parts.first),
          .method = std::string(parts.second)};
}

class Interceptor final : public grpc::experimental::Interceptor {
 public:
  Interceptor(RpcStats& stats, const runtime::Clock& clock, ServerRpcInfo& info)
      : stats_(stats),
        clock_(clock),
        path_(info.method()),
        unary_(info.type() == ServerRpcInfo::Type::UNARY),
        start_(clock.Now()) {}

  void Intercept(InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(
            InterceptionHookPoints::PRE_SEND_STATUS)) {
      RpcStats::Call call = {.path = path_,
                             .code = methods->GetSendStatus().error_code()};
      if (unary_) call.duration = clock_.Now() - start_;
      stats_.Count(call);
    }
    methods->Proceed();
  }

 private:
  RpcStats& stats_;
  const runtime::Clock& clock_;
  const std::string path_;
  const bool unary_;
  const absl::Duration start_;
};

class Factory final
    : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  Factory(RpcStats& stats, const runtime::Clock& clock)
      : stats_(stats), clock_(clock) {}

  // gRPC owns the result.
  grpc::experimental::Interceptor* CreateServerInterceptor(
      ServerRpcInfo* info) override {
    return new Interceptor(stats_, clock_, *info);
  }

 private:
  RpcStats& stats_;
  const runtime::Clock& clock_;
};

}  // namespace

void RpcStats::Count(const Call& call) {
  Method method = Parse(call.path);
  const std::string code =
      absl::StatusCodeToString(static_cast<absl::StatusCode>(call.code));
  MutexLock lock(mutex_);
  if (counts_.size() >= kMaxMethods && !counts_.contains(method)) {
    method = {.service = "_other", .method = "_other"};
  }
  MethodCounts& counts = counts_[method];
  ++counts.by_code[code];
  if (!call.duration.has_value()) return;
  const double seconds = absl::ToDoubleSeconds(*call.duration);
  constexpr auto& bounds = RpcDurations::kBoundsSeconds;
  const auto bound = std::ranges::lower_bound(bounds, seconds);
  if (!counts.durations.has_value()) counts.durations.emplace();
  ++counts.durations
        ->counts[static_cast<size_t>(std::distance(bounds.begin(), bound))];
  counts.durations->sum_seconds += seconds;
}

RpcStats::Counts RpcStats::Read() const {
  MutexLock lock(mutex_);
  return counts_;
}

std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>
CountCalls(RpcStats& stats, const runtime::Clock& clock) {
  return std::make_unique<Factory>(stats, clock);
}

}  // namespace fairsched::server
