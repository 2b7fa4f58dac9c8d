// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "server/convert_usage.h"
#include "server/metrics_families.h"
#include "server/usage_view.h"

namespace fairsched::server {
namespace {

double Number(uint64_t count) { return static_cast<double>(count); }
double Number(int64_t count) { return static_cast<double>(count); }

void AddWindows(const core::NodeDecision& node, Families& families) {
  Gauge("fairsched_window_seconds", "Length of the window in force.")
      .Add(absl::ToDoubleSeconds(node.window))
      .AddTo(families);
  Counter("fairsched_windows_total", "Windows that ended, by why.")
      .Add(Number(node.windows_expired), {{"end", "expired"}})
      .Add(Number(node.windows_all_spent), {{"end", "all_spent"}})
      .Add(Number(node.windows_policy), {{"end", "policy"}})
      .AddTo(families);
  Gauge("fairsched_contended", "1 while a user waits for CPU, else 0.")
      .Add(node.contended ? 1 : 0)
      .AddTo(families);
  Gauge("fairsched_wanting_users", "Users that want CPU.")
      .Add(Number(node.wanting_users))
      .AddTo(families);
}

void AddTicks(const runtime::LoopStats& stats, Families& families) {
  Counter("fairsched_ticks_total", "Turns of the control loop, by result.")
      .Add(Number(stats.ticks - stats.failed_ticks), {{"result", "sampled"}})
      .Add(Number(stats.failed_ticks), {{"result", "failed"}})
      .AddTo(families);
  Counter("fairsched_tick_overruns_total",
          "Ticks that began more than one tick late.")
      .Add(Number(stats.overruns))
      .AddTo(families);
  Histogram("fairsched_tick_duration_seconds", "Wall time that ticks took.")
      .Add(runtime::TickHistogram::kBoundsSeconds, stats.tick_seconds.counts,
           stats.tick_seconds.sum_seconds)
      .AddTo(families);
  Counter("fairsched_releases_total",
          "Times that every value was given back because ticks failed.")
      .Add(Number(stats.releases))
      .AddTo(families);
}

absl::string_view NameOf(runtime::DriftCause cause) {
  switch (cause) {
    case runtime::DriftCause::kReload:
      return "reload";
    case runtime::DriftCause::kSetProperty:
      return "set_property";
    case runtime::DriftCause::kOtherWriter:
      return "other_writer";
    case runtime::DriftCause::kUnknown:
      return "unknown";
  }
  return "";
}

void AddKernelFiles(const runtime::ApplyReport& applied, Families& families) {
  Counter("fairsched_cgroup_reads_total", "Reads of cgroup files.")
      .Add(Number(applied.reads))
      .AddTo(families);
  Family writes =
      Counter("fairsched_cgroup_writes_total", "Writes of cgroup files.");
  for (const auto& [file, count] : applied.writes) {
    writes.Add(Number(count.done), {{"file", file}, {"result", "done"}})
        .Add(Number(count.failed), {{"file", file}, {"result", "failed"}});
  }
  writes.AddTo(families);
  Family drifts =
      Counter("fairsched_cgroup_drift_total",
              "Values that another program was found to have changed, by what "
              "that probably was.");
  for (const runtime::DriftCause cause : runtime::kDriftCauses) {
    const auto found = applied.drifts.find(cause);
    drifts.Add(Number(found == applied.drifts.end() ? 0 : found->second),
               {{"cause", std::string(NameOf(cause))}});
  }
  drifts.AddTo(families);
  Gauge("fairsched_cgroup_unwatched",
        "Cgroups in which a changed value is noticed by looking only, within "
        "ten seconds: the system has no more watches.")
      .Add(Number(applied.unwatched))
      .AddTo(families);
}

void AddNotEnforced(const runtime::Snapshot& snapshot, Families& families) {
  using runtime::NotEnforced;
  std::map<std::string, int64_t> users = {{"released", 0}};
  for (const NotEnforced reason :
       {NotEnforced::kNoController, NotEnforced::kGone,
        NotEnforced::kPermission, NotEnforced::kReadOnly,
        NotEnforced::kOtherWriter, NotEnforced::kUnsupported,
        NotEnforced::kNested, NotEnforced::kOwnCgroup}) {
    users.emplace(NotEnforcedName(reason), 0);
  }
  for (const core::UserDecision& user : snapshot.decision.users) {
    const UserEnforcement enforcement = EnforcementOf(snapshot, user);
    if (enforcement.kind != UserEnforcement::Kind::kNotEnforced) continue;
    ++users[enforcement.reason.has_value()
                ? std::string(NotEnforcedName(*enforcement.reason))
                : "released"];
  }
  Family family =
      Gauge("fairsched_not_enforced_users",
            "Users whose decision should hold in the kernel and does not.");
  for (const auto& [reason, count] : users) {
    family.Add(Number(count), {{"reason", reason}});
  }
  family.AddTo(families);
}

}  // namespace

void AddNodeFamilies(const runtime::Snapshot& snapshot,
                     const NodeCpuTime& totals, Families& families) {
  const auto add = [&families](const char* name, const char* help,
                               core::CpuTime time) {
    Counter(name, help).Add(time.seconds()).AddTo(families);
  };
  add("fairsched_node_capacity_cpu_seconds_total",
      "CPU time that there was, hypervisor steal taken off.", totals.capacity);
  add("fairsched_node_busy_cpu_seconds_total", "CPU time used by anything.",
      totals.busy);
  add("fairsched_node_idle_cpu_seconds_total", "CPU time that nobody used.",
      totals.idle);
  add("fairsched_node_exempt_cpu_seconds_total",
      "CPU time used by exempt users.", totals.exempt);
  add("fairsched_node_other_cpu_seconds_total",
      "CPU time used by what is neither managed nor exempt.", totals.other);
  add("fairsched_node_hypervisor_steal_cpu_seconds_total",
      "CPU time taken by other guests of the host.", totals.hypervisor_steal);
  AddWindows(snapshot.decision.node, families);
}

void AddLoopFamilies(const runtime::Snapshot& snapshot, Families& families) {
  const bool enforcing =
      snapshot.enforcement == runtime::Enforcement::kEnforcing;
  Gauge("fairsched_enforcing", "1 while decisions reach the kernel, else 0.")
      .Add(enforcing ? 1 : 0)
      .AddTo(families);
  Gauge("fairsched_cgroup_without_controller",
        "Cgroups of users in which the cpu controller is off.")
      .Add(Number(runtime::WithoutController(snapshot.applied)))
      .AddTo(families);
  AddNotEnforced(snapshot, families);
  AddTicks(snapshot.stats, families);
  AddKernelFiles(snapshot.applied, families);
  const core::NodeDecision& node = snapshot.decision.node;
  Counter("fairsched_sample_resets_total",
          "Kernel counters of CPU time that went backwards.")
      .Add(Number(node.counter_resets))
      .AddTo(families);
  Counter("fairsched_sample_clamps_total",
          "Kernel counters of CPU time that grew by more than is possible.")
      .Add(Number(node.counter_clamps))
      .AddTo(families);
}

void AddPlacementFamilies(const runtime::PlacementReport& report,
                          Families& families) {
  Gauge("fairsched_placement_cgroups", "Cgroups of users that exist.")
      .Add(Number(report.cgroups))
      .AddTo(families);
  Gauge("fairsched_placement_processes",
        "Processes in cgroups of users, as of the last scan.")
      .Add(Number(report.processes))
      .AddTo(families);
  Counter("fairsched_placement_scans_total", "Scans for processes.")
      .Add(Number(report.scans))
      .AddTo(families);
  Counter("fairsched_placement_moves_total",
          "Processes moved into and out of cgroups, by result.")
      .Add(Number(report.moved), {{"result", "done"}})
      .Add(Number(report.failed_moves), {{"result", "failed"}})
      .AddTo(families);
  Gauge("fairsched_placement_scan_seconds",
        "Wall time that the last scan took.")
      .Add(absl::ToDoubleSeconds(report.scan_time))
      .AddTo(families);
}

}  // namespace fairsched::server
