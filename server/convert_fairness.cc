// SPDX-License-Identifier: Apache-2.0
#include "server/convert_fairness.h"

#include "server/convert_time.h"

namespace fairsched::server {

v1::Fairness ToProto(const core::FairnessFigures& figures) {
  v1::Fairness proto;
  proto.set_fairness(figures.fairness);
  proto.set_jain(figures.jain);
  proto.set_lost_ratio(figures.lost_ratio);
  if (figures.steadiness.has_value()) proto.set_steadiness(*figures.steadiness);
  proto.set_min_x(figures.min_x);
  proto.set_worst_error_ratio(figures.worst_error_ratio);
  *proto.mutable_largest_lag() = ToProto(figures.largest_lag);
  if (figures.longest_starvation.has_value()) {
    *proto.mutable_longest_starvation() = ToProto(*figures.longest_starvation);
  }
  proto.set_demand_known(figures.demand_known);
  proto.set_flagged(figures.flagged);
  return proto;
}

}  // namespace fairsched::server
