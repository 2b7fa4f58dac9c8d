// SPDX-License-Identifier: Apache-2.0
#include "server/family.h"

namespace fairsched::server {

Family& Family::Add(double value, Labels labels) {
  prometheus::ClientMetric metric;
  if (family_.type == prometheus::MetricType::Counter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
  metric.label = std::move(labels);
  family_.metric.push_back(std::move(metric));
  return *this;
}

void Family::AddTo(Families& families) {
  if (!family_.metric.empty()) families.push_back(std::move(family_));
}

Family Counter(const char* name, const char* help) {
  return Family(prometheus::MetricType::Counter, name, help);
}

Family Gauge(const char* name, const char* help) {
  return Family(prometheus::MetricType::Gauge, name, help);
}

Family Histogram(const char* name, const char* help) {
  return Family(prometheus::MetricType::Histogram, name, help);
}

}  // namespace fairsched::server
