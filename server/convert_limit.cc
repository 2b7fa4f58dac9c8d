// SPDX-License-Identifier: Apache-2.0
#include "server/convert_limit.h"

#include "absl/strings/str_cat.h"
#include "server/convert_time.h"

namespace fairsched::server {

v1::Steal ToProto(const core::Steal& steal) {
  v1::Steal proto;
  if (steal.unlimited) {
    proto.mutable_unlimited();
  } else {
    *proto.mutable_per_second() = ToProto(steal.per_second);
  }
  return proto;
}

v1::Limit ToProto(const core::Limit& limit) {
  v1::Limit proto;
  switch (limit.kind) {
    case core::Limit::Kind::kNone:
      proto.mutable_none();
      break;
    case core::Limit::Kind::kCpus:
      proto.set_millicpus(limit.millicpus);
      break;
    case core::Limit::Kind::kEntitlement:
      proto.mutable_entitlement();
      break;
  }
  if (limit.burst != core::CpuTime())
    *proto.mutable_burst() = ToProto(limit.burst);
  if (limit.steal.has_value()) *proto.mutable_steal() = ToProto(*limit.steal);
  return proto;
}

std::optional<core::CpuTime> CpuTimeFrom(
    const google::protobuf::Duration& duration, absl::string_view field,
    core::Violations& violations) {
  const std::optional<absl::Duration> time = FromProto(duration);
  if (!time.has_value()) {
    violations.push_back({.field = std::string(field),
                          .problem = "not a duration: out of its range, or "
                                     "seconds and nanos differ in sign"});
    return std::nullopt;
  }
  return core::CpuTime::Usec(absl::ToInt64Microseconds(*time));
}

std::optional<core::Steal> FromProto(const v1::Steal& steal,
                                     absl::string_view field,
                                     core::Violations& violations) {
  switch (steal.kind_case()) {
    case v1::Steal::kUnlimited:
      return core::Steal{.unlimited = true, .per_second = {}};
    case v1::Steal::kPerSecond: {
      const auto time = CpuTimeFrom(
          steal.per_second(), absl::StrCat(field, ".per_second"), violations);
      if (!time.has_value()) return std::nullopt;
      return core::Steal{.per_second = *time};
    }
    case v1::Steal::KIND_NOT_SET:
      break;
  }
  violations.push_back({.field = std::string(field),
                        .problem = "says nothing: set its per_second, or "
                                   "unlimited"});
  return std::nullopt;
}

std::optional<core::Limit> FromProto(const v1::Limit& limit,
                                     absl::string_view field,
                                     core::Violations& violations) {
  core::Limit result;
  const size_t before = violations.size();
  switch (limit.kind_case()) {
    case v1::Limit::kMillicpus:
      result.kind = core::Limit::Kind::kCpus;
      result.millicpus = limit.millicpus();
      break;
    case v1::Limit::kEntitlement:
      result.kind = core::Limit::Kind::kEntitlement;
      break;
    case v1::Limit::kNone:
      break;
    case v1::Limit::KIND_NOT_SET:
      violations.push_back({.field = std::string(field),
                            .problem = "says nothing: set its millicpus, "
                                       "entitlement or none"});
      break;
  }
  if (limit.has_burst()) {
    result.burst =
        CpuTimeFrom(limit.burst(), absl::StrCat(field, ".burst"), violations)
            .value_or(core::CpuTime());
  }
  if (limit.has_steal()) {
    result.steal =
        FromProto(limit.steal(), absl::StrCat(field, ".steal"), violations);
  }
  if (violations.size() > before) return std::nullopt;
  return result;
}

}  // namespace fairsched::server
