// SPDX-License-Identifier: Apache-2.0
#include "server/watch_body.h"

#include "fairsched/v1/usage_service.pb.h"
#include "server/convert_time.h"
#include "server/convert_usage.h"

namespace fairsched::server {

grpc::Slice WatchBody::Of(const UsageView& view) {
  // Whoever asks while it is built waits for it: building it twice takes
  // longer.
  runtime::MutexLock lock(mutex_);
  if (view_ == view) return body_;
  v1::WatchUsageResponse common;
  *common.mutable_sample_time() = ToProto(view.snapshot->time);
  *common.mutable_node() = NodeUsageOf(*view.snapshot);
  VisitUsers(view, "", [&](const ViewedUser& user) {
    *common.add_users() = ToProto(view, user);
    return true;
  });
  view_ = view;
  body_ = grpc::Slice(common.SerializeAsString());
  return body_;
}

}  // namespace fairsched::server
