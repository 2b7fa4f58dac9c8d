// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_FAMILY_H_
#define FAIRSCHED_SERVER_FAMILY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "prometheus/metric_family.h"

// Building metric families by hand.
namespace fairsched::server {

using Families = std::vector<prometheus::MetricFamily>;
using Labels = std::vector<prometheus::ClientMetric::Label>;

// One family, of `type`, that its metrics are added to.
class Family {
 public:
  Family(prometheus::MetricType type, const char* name, const char* help) {
    family_.type = type;
    family_.name = name;
    family_.help = help;
  }

  // Of a counter or gauge.
  Family& Add(double value, Labels labels = {});

  // Of a histogram: how many were at most so large as each bound, each counted
  // once; the last count is of those above all.
  template <size_t kBounds>
  Family& Add(const std::array<double, kBounds>& bounds,
              const std::array<uint64_t, kBounds + 1>& counts, double sum,
              Labels labels = {}) {
    prometheus::ClientMetric metric;
    for (size_t i = 0; i <= kBounds; ++i) {
      metric.histogram.sample_count += counts[i];
      metric.histogram.bucket.push_back(
          {.cumulative_count = metric.histogram.sample_count,
           .upper_bound = i < kBounds
                              ? bounds[i]
                              : std::numeric_limits<double>::infinity()});
    }
    metric.histogram.sample_sum = sum;
    metric.label = std::move(labels);
    family_.metric.push_back(std::move(metric));
    return *this;
  }

  // Moves it to `families`, unless it has no metric.
  void AddTo(Families& families);

 private:
  prometheus::MetricFamily family_;
};

Family Counter(const char* name, const char* help);
Family Gauge(const char* name, const char* help);
Family Histogram(const char* name, const char* help);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_FAMILY_H_
