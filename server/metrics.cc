// SPDX-License-Identifier: Apache-2.0
#include "server/metrics.h"

#include <sstream>
#include <utility>

#include "prometheus/text_serializer.h"
#include "server/metrics_families.h"

namespace fairsched::server {

using runtime::MutexLock;

Metrics::Metrics(const Deps& deps, Options options)
    : deps_(deps), options_(std::move(options)) {}

void Metrics::AddTick() { totals_.Add(deps_.loop.Latest()->decision); }

std::shared_ptr<const std::string> Metrics::Text() {
  std::shared_ptr<const runtime::Snapshot> snapshot = deps_.loop.Latest();
  // Whoever asks while it is built waits for it: building it twice takes
  // longer.
  MutexLock lock(mutex_);
  if (text_ == nullptr || snapshot != shown_) {
    text_ = std::make_shared<const std::string>(Build(*snapshot));
    shown_ = std::move(snapshot);
  }
  return text_;
}

std::string Metrics::Build(const runtime::Snapshot& snapshot) const {
  Families families;
  AddUserFamilies(snapshot, kMaxMetricUsers, families);
  AddNodeFamilies(snapshot, totals_.Read(), families);
  AddGroupFamilies(snapshot.decision, families);
  AddFairnessFamilies(snapshot.decision.node, families);
  AddLoopFamilies(snapshot, families);
  AddPlacementFamilies(*deps_.placement.Report(), families);
  AddDaemonFamilies(
      {.start_time = options_.start_time,
       .policy_revision = deps_.store.RevisionOf(*snapshot.policy),
       .overrides = deps_.store.Read()->overrides.size(),
       .watchers = options_.watchers(),
       .rpcs = deps_.rpc_stats.Read(),
       .process = ReadProcessStats()},
      families);
  std::ostringstream text;
  prometheus::TextSerializer().Serialize(text, families);
  return std::move(text).str();
}

}  // namespace fairsched::server
