// SPDX-License-Identifier: Apache-2.0
#include "server/convert_override.h"

#include "absl/strings/str_cat.h"
#include "server/convert_time.h"
#include "server/errors.h"
#include "server/resource_name.h"

namespace fairsched::server {
namespace {

void TakeKind(const v1::Override& proto, OverrideOrder& order,
              core::Violations& violations) {
  switch (proto.kind_case()) {
    case v1::Override::kRestriction:
      order.kind = core::Override::Kind::kRestrict;
      if (proto.restriction().has_millicpus())
        order.millicpus = proto.restriction().millicpus();
      return;
    case v1::Override::kBoost:
      order.kind = core::Override::Kind::kBoost;
      if (proto.boost().has_factor()) order.factor = proto.boost().factor();
      return;
    case v1::Override::kExempt:
      order.kind = core::Override::Kind::kExempt;
      return;
    case v1::Override::KIND_NOT_SET:
      break;
  }
  violations.push_back({.field = "override",
                        .problem = "does nothing: set its restriction, boost "
                                   "or exempt"});
}

void TakeExpiration(const v1::Override& proto, OverrideOrder& order,
                    core::Violations& violations) {
  switch (proto.expiration_case()) {
    case v1::Override::kExpireTime:
      order.expire_time = FromProto(proto.expire_time());
      if (!order.expire_time.has_value()) {
        violations.push_back({.field = "override.expire_time",
                              .problem = "not a time: out of the years "
                                         "1..9999, or of its nanoseconds"});
      }
      return;
    case v1::Override::kTtl:
      order.ttl = FromProto(proto.ttl());
      if (!order.ttl.has_value()) {
        violations.push_back({.field = "override.ttl",
                              .problem = "not a duration: out of its range, or "
                                         "seconds and nanos differ in sign"});
      }
      return;
    case v1::Override::EXPIRATION_NOT_SET:
      break;
  }
  violations.push_back(
      {.field = "override.expire_time",
       .problem = "not set: an override must end, within 30 days"});
}

}  // namespace

v1::Override ToProto(const core::UserId& id, const DefinedOverride& override) {
  v1::Override proto;
  proto.set_name(OverrideName(id));
  switch (override.what.kind) {
    case core::Override::Kind::kRestrict:
      proto.mutable_restriction()->set_millicpus(override.what.millicpus);
      break;
    case core::Override::Kind::kBoost:
      proto.mutable_boost()->set_factor(override.what.factor);
      break;
    case core::Override::Kind::kExempt:
      proto.mutable_exempt();
      break;
  }
  *proto.mutable_expire_time() = ToProto(override.expire_time);
  proto.set_why(override.why);
  *proto.mutable_create_time() = ToProto(override.create_time);
  return proto;
}

absl::StatusOr<OverrideOrder> ToOrder(const v1::Override& override) {
  OverrideOrder order;
  core::Violations violations;
  TakeKind(override, order, violations);
  TakeExpiration(override, order, violations);
  if (!violations.empty()) return InvalidFields(violations);
  order.why = override.why();
  return order;
}

}  // namespace fairsched::server
