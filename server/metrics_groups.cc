// SPDX-License-Identifier: Apache-2.0
#include "server/family.h"
#include "server/metrics_families.h"

namespace fairsched::server {
namespace {

Labels Group(const core::GroupDecision& group) { return {{"group", group.id}}; }

}  // namespace

void AddGroupFamilies(const core::Decision& decision, Families& families) {
  Family used = Counter("fairsched_group_cpu_seconds_total",
                        "CPU time that the group's members used.");
  Family surplus =
      Counter("fairsched_group_surplus_seconds_total",
              "CPU time used while nobody else waited, or while demoted.");
  Family stolen = Counter("fairsched_group_stolen_seconds_total",
                          "CPU time used beyond the group's limit.");
  Family balance =
      Gauge("fairsched_group_balance_seconds",
            "Tokens left in this window, in CPU time; negative: a debt.");
  Family shares = Gauge("fairsched_group_shares", "Shares in force.");
  Family limit =
      Gauge("fairsched_group_limit_cpus", "The limit in force; absent: none.");
  for (const core::GroupDecision& group : decision.groups) {
    used.Add(group.totals.used.seconds(), Group(group));
    surplus.Add(group.totals.surplus.seconds(), Group(group));
    stolen.Add(group.totals.stolen.seconds(), Group(group));
    balance.Add(group.balance.seconds(), Group(group));
    shares.Add(group.shares, Group(group));
    if (group.limit_cpus.has_value())
      limit.Add(*group.limit_cpus, Group(group));
  }
  for (Family* family : {&used, &surplus, &stolen, &balance, &shares, &limit})
    family->AddTo(families);
}

void AddFairnessFamilies(const core::NodeDecision& node, Families& families) {
  Counter("fairsched_node_lost_cpu_seconds_total",
          "CPU time that idled while somebody held could have used it.")
      .Add(node.lost.seconds())
      .AddTo(families);
  // Absent where nobody contended: neither 0 nor 1 would be true.
  if (!node.fairness.has_value()) return;
  const core::FairnessFigures& figures = *node.fairness;
  const auto add = [&families](const char* name, const char* help,
                               double value) {
    Gauge(name, help).Add(value).AddTo(families);
  };
  add("fairsched_node_fairness_ratio",
      "jain x (1 - lost) x steadiness of the last span.", figures.fairness);
  add("fairsched_node_jain_ratio",
      "Jain's index of what users got of their fair shares.", figures.jain);
  add("fairsched_node_worst_error_ratio",
      "The largest error of a user against its fair share.",
      figures.worst_error_ratio);
  add("fairsched_node_min_x_ratio", "The least part of a fair share got.",
      figures.min_x);
  add("fairsched_node_fairness_flagged",
      "1 if a demand was guessed or the least part is low, else 0.",
      figures.flagged ? 1 : 0);
}

}  // namespace fairsched::server
