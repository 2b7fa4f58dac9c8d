// SPDX-License-Identifier: Apache-2.0
#include "server/metrics_families.h"

namespace fairsched::server {
namespace {

void AddRpcs(const RpcStats::Counts& rpcs, Families& families) {
  Family handled =
      Counter("fairsched_rpc_handled_total", "Calls that ended, by code.");
  Family durations = Histogram("fairsched_rpc_duration_seconds",
                               "Wall time that unary calls took.");
  for (const auto& [method, counts] : rpcs) {
    const Labels labels = {{"grpc_service", method.service},
                           {"grpc_method", method.method}};
    for (const auto& [code, count] : counts.by_code) {
      Labels with_code = labels;
      with_code.push_back({"grpc_code", code});
      handled.Add(static_cast<double>(count), std::move(with_code));
    }
    if (counts.durations.has_value()) {
      durations.Add(RpcDurations::kBoundsSeconds, counts.durations->counts,
                    counts.durations->sum_seconds, labels);
    }
  }
  handled.AddTo(families);
  durations.AddTo(families);
}

void AddProcess(const ProcessStats& process, absl::Time start_time,
                Families& families) {
  const auto gauge = [&families](const char* name, const char* help,
                                 std::optional<double> value) {
    if (value.has_value()) Gauge(name, help).Add(*value).AddTo(families);
  };
  if (process.cpu.has_value()) {
    Counter("process_cpu_seconds_total", "CPU time that this process used.")
        .Add(absl::ToDoubleSeconds(*process.cpu))
        .AddTo(families);
  }
  gauge("process_resident_memory_bytes", "Memory that this process has.",
        process.resident_bytes);
  gauge("process_open_fds", "Open file descriptors.", process.open_fds);
  gauge("process_max_fds", "File descriptors that may be open at once.",
        process.max_fds);
  gauge("process_start_time_seconds",
        "When this process started, in seconds since 1970.",
        absl::ToDoubleSeconds(start_time - absl::UnixEpoch()));
}

}  // namespace

void AddDaemonFamilies(const DaemonFigures& figures, Families& families) {
  if (figures.policy_revision.has_value()) {
    Gauge("fairsched_policy_revision",
          "Revision of the policy in force; grows with every change.")
        .Add(static_cast<double>(*figures.policy_revision))
        .AddTo(families);
  }
  Gauge("fairsched_overrides", "Overrides of users that are set.")
      .Add(static_cast<double>(figures.overrides))
      .AddTo(families);
  Gauge("fairsched_watchers", "Open calls of WatchUsage.")
      .Add(static_cast<double>(figures.watchers))
      .AddTo(families);
  AddRpcs(figures.rpcs, families);
  Gauge("fairsched_build_info", "Always 1; what runs here.")
      .Add(1, {{"version", FAIRSCHED_VERSION}})
      .AddTo(families);
  AddProcess(figures.process, figures.start_time, families);
}

}  // namespace fairsched::server
