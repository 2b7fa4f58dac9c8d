// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_values.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace fairsched::kernel {
namespace {

double CpusOf(const CpuMax& max) {
  return max.quota.has_value() ? max.quota->Cpus(max.period)
                               : std::numeric_limits<double>::infinity();
}

std::string QuotaText(const CpuMax& max) {
  return max.quota.has_value() ? absl::StrCat(max.quota->usec()) : "-1";
}

void PlanMax(const CpuMax& now, const CpuMax& target, Backend backend,
             std::vector<PlannedWrite>& plan) {
  if (now == target) return;
  if (backend == Backend::kUnified) {
    plan.push_back({CpuFile::kMax, FormatCpuMax(target)});
    return;
  }
  const auto quota = [&] {
    if (now.quota != target.quota)
      plan.push_back({CpuFile::kMax, QuotaText(target)});
  };
  const auto period = [&] {
    if (now.period == target.period) return;
    plan.push_back({CpuFile::kPeriod,
                    absl::StrCat(absl::ToInt64Microseconds(target.period))});
  };
  // Without a quota there is no ratio.
  const bool period_first =
      target.quota.has_value() &&
      (!now.quota.has_value() || target.period > now.period);
  if (period_first) period();
  quota();
  if (!period_first) period();
}

}  // namespace

bool operator==(const CgroupValues& a, const CgroupValues& b) {
  return a.idle == b.idle && (a.idle || a.weight == b.weight) &&
         a.max == b.max && a.burst == b.burst;
}

core::CpuValues Outward(const CgroupValues& values) {
  core::CpuValues result{
      .weight = values.weight, .idle = values.idle, .ceiling = std::nullopt};
  if (values.max.quota.has_value()) {
    result.ceiling = {.quota = *values.max.quota,
                      .period = values.max.period,
                      .burst = values.burst};
  }
  return result;
}

CgroupValues TargetOf(const core::CpuValues& wanted, const CgroupValues& own) {
  CgroupValues target{.weight = wanted.weight,
                      .idle = wanted.idle || own.idle,
                      .max = own.max,
                      .burst = own.burst};
  if (!own.idle && own.weight < kDefaultWeight)
    target.weight = std::min(wanted.weight, own.weight);
  if (wanted.ceiling.has_value() && wanted.ceiling->cpus() < CpusOf(own.max)) {
    target.max = {.quota = wanted.ceiling->quota,
                  .period = wanted.ceiling->period};
    target.burst = wanted.ceiling->burst;
  }
  return target;
}

std::string Describe(const CgroupValues& values) {
  std::string text =
      values.idle ? "idle" : absl::StrCat("weight ", values.weight);
  if (values.max.quota.has_value()) {
    absl::StrAppend(&text, ", ", values.max.quota->usec(), " us in every ",
                    absl::ToInt64Microseconds(values.max.period), " us");
  }
  return text;
}

std::vector<PlannedWrite> PlanWrites(const CgroupValues& now,
                                     const CgroupValues& target,
                                     Backend backend) {
  std::vector<PlannedWrite> plan;
  const PlannedWrite burst{CpuFile::kBurst, absl::StrCat(target.burst.usec())};
  if (target.burst < now.burst) plan.push_back(burst);
  PlanMax(now.max, target.max, backend, plan);
  if (target.burst > now.burst) plan.push_back(burst);
  const bool leaves_idle = now.idle && !target.idle;
  if (leaves_idle) plan.push_back({CpuFile::kIdle, FormatCpuIdle(false)});
  const int32_t weight = leaves_idle ? kDefaultWeight : now.weight;
  if (!target.idle && weight != target.weight) {
    plan.push_back({CpuFile::kWeight, backend == Backend::kLegacy
                                          ? FormatCpuShares(target.weight)
                                          : FormatCpuWeight(target.weight)});
  }
  if (target.idle && !now.idle)
    plan.push_back({CpuFile::kIdle, FormatCpuIdle(true)});
  return plan;
}

}  // namespace fairsched::kernel
