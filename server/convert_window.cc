// SPDX-License-Identifier: Apache-2.0
#include "server/convert_window.h"

#include "server/convert_fairness.h"
#include "server/convert_time.h"
#include "server/resource_name.h"

namespace fairsched::server {
namespace {

v1::WindowReport::EndCause EnumOf(core::WindowEnd end) {
  switch (end) {
    case core::WindowEnd::kExpired:
      return v1::WindowReport::END_CAUSE_EXPIRED;
    case core::WindowEnd::kAllSpent:
      return v1::WindowReport::END_CAUSE_ALL_SPENT;
    case core::WindowEnd::kPolicy:
      return v1::WindowReport::END_CAUSE_POLICY;
  }
  return v1::WindowReport::END_CAUSE_UNSPECIFIED;
}

}  // namespace

v1::WindowReport ToProto(const core::WindowReport& window,
                         const runtime::Snapshot& snapshot) {
  v1::WindowReport proto;
  proto.set_number(static_cast<int64_t>(window.number));
  *proto.mutable_end_time() =
      ToProto(snapshot.time - (snapshot.decision.at - window.at));
  *proto.mutable_length() = ToProto(window.length);
  proto.set_end_cause(EnumOf(window.end));
  proto.set_multiple(window.multiple);
  if (window.length > absl::ZeroDuration()) {
    proto.set_capacity_cpus(window.capacity.Cpus(window.length));
    proto.set_idle_cpus(window.idle.Cpus(window.length));
    proto.set_unmanaged_cpus(window.unmanaged.Cpus(window.length));
  }
  if (window.fairness.has_value())
    *proto.mutable_fairness() = ToProto(*window.fairness);
  for (const core::WindowUser& user : window.users) {
    v1::WindowReport::UserWindow* one = proto.add_users();
    one->set_user(UserName(user.id));
    *one->mutable_used() = ToProto(user.used);
    *one->mutable_entitlement() = ToProto(user.entitlement);
    *one->mutable_balance_before() = ToProto(user.balance_before);
    *one->mutable_balance_after() = ToProto(user.balance_after);
    *one->mutable_surplus() = ToProto(user.surplus);
    *one->mutable_held() = ToProto(user.held);
  }
  return proto;
}

}  // namespace fairsched::server
