// SPDX-License-Identifier: Apache-2.0
#include "server/convert_settings.h"

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "server/convert_limit.h"
#include "server/convert_time.h"
#include "server/errors.h"
#include "server/field_mask.h"
#include "server/resource_name.h"

namespace fairsched::server {
namespace {

constexpr char kMode[] = "mode";
constexpr char kWindow[] = "window";
constexpr char kAutoWindow[] = "auto_window";
constexpr char kTick[] = "tick";
constexpr char kInterval[] = "interval";
constexpr char kDefaultLimit[] = "default_limit";
constexpr char kDefaultSteal[] = "default_steal";
constexpr char kDefaultShares[] = "default_shares";
constexpr char kFloor[] = "floor_millicpus";
constexpr char kUidRanges[] = "uid_ranges";
constexpr char kExemptUids[] = "exempt_uids";
constexpr char kPacing[] = "pacing";

std::vector<std::string> AllFields() {
  return {kMode,     kWindow,       kAutoWindow,   kTick,
          kFloor,    kUidRanges,    kExemptUids,   kPacing,
          kInterval, kDefaultLimit, kDefaultSteal, kDefaultShares};
}

FieldSet Populated(const v1::Settings& settings) {
  FieldSet fields;
  if (settings.mode() != v1::MODE_UNSPECIFIED) fields.insert(kMode);
  if (settings.has_window()) fields.insert(kWindow);
  if (settings.has_auto_window()) fields.insert(kAutoWindow);
  if (settings.has_tick()) fields.insert(kTick);
  if (settings.has_interval()) fields.insert(kInterval);
  if (settings.has_default_limit()) fields.insert(kDefaultLimit);
  if (settings.has_default_steal()) fields.insert(kDefaultSteal);
  if (settings.has_default_shares()) fields.insert(kDefaultShares);
  if (settings.has_floor_millicpus()) fields.insert(kFloor);
  if (!settings.uid_ranges().empty()) fields.insert(kUidRanges);
  if (!settings.exempt_uids().empty()) fields.insert(kExemptUids);
  if (settings.pacing() != v1::PACING_UNSPECIFIED) fields.insert(kPacing);
  return fields;
}

std::optional<core::Mode> ModeFrom(v1::Mode mode) {
  switch (mode) {
    case v1::MODE_UNSPECIFIED:
      return core::Settings().mode;
    case v1::MODE_OBSERVE:
      return core::Mode::kObserve;
    case v1::MODE_ENFORCE:
      return core::Mode::kEnforce;
    default:
      return std::nullopt;
  }
}

std::optional<core::Pacing> PacingFrom(v1::Pacing pacing) {
  switch (pacing) {
    case v1::PACING_UNSPECIFIED:
      return core::Settings().pacing;
    case v1::PACING_FEEDBACK:
      return core::Pacing::kFeedback;
    case v1::PACING_NONE:
      return core::Pacing::kNone;
    default:
      return std::nullopt;
  }
}

void Blame(const char* field, absl::string_view problem,
           core::Violations& violations) {
  violations.push_back({.field = absl::StrCat(kSettingsName, ".", field),
                        .problem = std::string(problem)});
}

std::optional<absl::Duration> TakeDuration(
    bool is_set, const google::protobuf::Duration& duration,
    absl::Duration standard) {
  return is_set ? FromProto(duration) : standard;
}

void TakeDurations(const v1::Settings& settings, const FieldSet& fields,
                   SettingsPatch& patch, core::Violations& violations) {
  constexpr absl::string_view kProblem =
      "not a duration: out of its range, or seconds and nanos differ in sign";
  const core::Settings standard;
  if (fields.contains(kWindow)) {
    patch.window =
        TakeDuration(settings.has_window(), settings.window(), standard.window);
    if (!patch.window.has_value()) Blame(kWindow, kProblem, violations);
  }
  if (fields.contains(kTick)) {
    patch.tick =
        TakeDuration(settings.has_tick(), settings.tick(), standard.tick);
    if (!patch.tick.has_value()) Blame(kTick, kProblem, violations);
  }
  if (fields.contains(kInterval)) {
    patch.interval = TakeDuration(settings.has_interval(), settings.interval(),
                                  standard.interval);
    if (!patch.interval.has_value()) Blame(kInterval, kProblem, violations);
  }
}

// Zero is how core says auto, and no window by itself. Either field, named and
// not set, is the default: auto, by the default range.
void TakeAutoWindow(const v1::Settings& settings, const FieldSet& fields,
                    SettingsPatch& patch, core::Violations& violations) {
  if (settings.has_window() && patch.window == absl::ZeroDuration())
    Blame(kWindow, "0s is not in 1s..1m", violations);
  const bool fixed = fields.contains(kWindow) && settings.has_window();
  if (fixed || (!fields.contains(kWindow) && !fields.contains(kAutoWindow)))
    return;
  const v1::AutoWindow& proto = settings.auto_window();
  core::AutoWindow range;
  const auto take = [&](bool is_set, const google::protobuf::Duration& from,
                        const char* field, absl::Duration& to) {
    if (!is_set) return;
    const std::optional<absl::Duration> duration = FromProto(from);
    if (!duration.has_value()) Blame(field, "not a duration", violations);
    to = duration.value_or(to);
  };
  absl::Duration quantum = absl::Microseconds(range.quantum.usec());
  take(proto.has_min(), proto.min(), "auto_window.min", range.min);
  take(proto.has_max(), proto.max(), "auto_window.max", range.max);
  take(proto.has_quantum(), proto.quantum(), "auto_window.quantum", quantum);
  range.quantum = core::CpuTime::Usec(absl::ToInt64Microseconds(quantum));
  patch.window = absl::ZeroDuration();
  patch.auto_window = range;
}

void TakeLimits(const v1::Settings& settings, const FieldSet& fields,
                SettingsPatch& patch, core::Violations& violations) {
  if (fields.contains(kDefaultLimit)) {
    patch.default_limit = settings.has_default_limit()
                              ? FromProto(settings.default_limit(),
                                          "settings.default_limit", violations)
                              : core::Settings().default_limit;
  }
  if (fields.contains(kDefaultSteal)) {
    patch.default_steal = settings.has_default_steal()
                              ? FromProto(settings.default_steal(),
                                          "settings.default_steal", violations)
                              : core::Settings().default_steal;
  }
}

void TakeEnums(const v1::Settings& settings, const FieldSet& fields,
               SettingsPatch& patch, core::Violations& violations) {
  if (fields.contains(kMode)) {
    patch.mode = ModeFrom(settings.mode());
    if (!patch.mode.has_value()) {
      Blame(kMode, absl::StrCat(settings.mode(), " is not a mode"), violations);
    }
  }
  if (fields.contains(kPacing)) {
    patch.pacing = PacingFrom(settings.pacing());
    if (!patch.pacing.has_value()) {
      Blame(kPacing, absl::StrCat(settings.pacing(), " is not a pacing"),
            violations);
    }
  }
}

void TakeRest(const v1::Settings& settings, const FieldSet& fields,
              SettingsPatch& patch) {
  const core::Settings standard;
  if (fields.contains(kDefaultShares)) {
    patch.default_shares = settings.has_default_shares()
                               ? settings.default_shares()
                               : standard.default_shares;
  }
  if (fields.contains(kFloor)) {
    patch.floor_millicpus = settings.has_floor_millicpus()
                                ? settings.floor_millicpus()
                                : standard.floor_millicpus;
  }
  if (fields.contains(kUidRanges)) {
    patch.uid_ranges.emplace();
    for (const v1::UidRange& range : settings.uid_ranges()) {
      patch.uid_ranges->push_back(
          {.first = range.first(), .last = range.last()});
    }
  }
  if (fields.contains(kExemptUids)) {
    patch.exempt_uids.emplace(settings.exempt_uids().begin(),
                              settings.exempt_uids().end());
  }
}

}  // namespace

v1::Mode ToProto(core::Mode mode) {
  return mode == core::Mode::kEnforce ? v1::MODE_ENFORCE : v1::MODE_OBSERVE;
}

v1::Settings ToProto(const DefinedSettings& settings) {
  const core::Settings& values = settings.values;
  v1::Settings proto;
  proto.set_name(std::string(kSettingsName));
  proto.set_mode(ToProto(values.mode));
  if (values.window > absl::ZeroDuration()) {
    *proto.mutable_window() = ToProto(values.window);
  } else {
    v1::AutoWindow& range = *proto.mutable_auto_window();
    *range.mutable_min() = ToProto(values.auto_window.min);
    *range.mutable_max() = ToProto(values.auto_window.max);
    *range.mutable_quantum() = ToProto(values.auto_window.quantum);
  }
  *proto.mutable_interval() = ToProto(values.interval);
  *proto.mutable_default_limit() = ToProto(values.default_limit);
  *proto.mutable_default_steal() = ToProto(values.default_steal);
  *proto.mutable_tick() = ToProto(values.tick);
  proto.set_default_shares(values.default_shares);
  proto.set_floor_millicpus(values.floor_millicpus);
  for (const core::UidRange& range : values.uid_ranges) {
    v1::UidRange* one = proto.add_uid_ranges();
    one->set_first(range.first);
    one->set_last(range.last);
  }
  proto.mutable_exempt_uids()->Add(values.exempt_uids.begin(),
                                   values.exempt_uids.end());
  proto.set_pacing(values.pacing == core::Pacing::kNone ? v1::PACING_NONE
                                                        : v1::PACING_FEEDBACK);
  proto.set_etag(settings.etag);
  *proto.mutable_update_time() = ToProto(settings.update_time);
  return proto;
}

absl::StatusOr<SettingsPatch> ToPatch(const v1::Settings& settings,
                                      const google::protobuf::FieldMask& mask) {
  ASSIGN_OR_RETURN(const FieldSet fields,
                   ResolveMask(mask, {.allowed = AllFields(),
                                      .populated = Populated(settings)}));
  SettingsPatch patch;
  core::Violations violations;
  TakeEnums(settings, fields, patch, violations);
  TakeDurations(settings, fields, patch, violations);
  TakeAutoWindow(settings, fields, patch, violations);
  TakeLimits(settings, fields, patch, violations);
  TakeRest(settings, fields, patch);
  if (!violations.empty()) return InvalidFields(violations);
  return patch;
}

}  // namespace fairsched::server
