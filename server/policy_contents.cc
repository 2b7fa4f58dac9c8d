// SPDX-License-Identifier: Apache-2.0
#include "server/policy_contents.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "agent/runtime/fingerprint.h"

namespace fairsched::server {
namespace {

// For etags, which are no secrets: whoever may guess one may also read it.
using runtime::Fingerprint;

std::string Text(const std::optional<core::Steal>& steal) {
  if (!steal.has_value()) return "-";
  return steal->unlimited ? "all" : absl::StrCat(steal->per_second.usec());
}

std::string Text(const std::optional<core::Limit>& limit) {
  if (!limit.has_value()) return "-";
  return absl::StrCat(static_cast<int>(limit->kind), ",", limit->millicpus, ",",
                      limit->burst.usec(), ",", Text(limit->steal));
}

template <typename Value>
void Set(const std::optional<Value>& from, Value& to) {
  if (from.has_value()) to = *from;
}

}  // namespace

const std::pair<const core::UserId, DefinedOverride>* OverrideFor(
    const PolicyContents& contents, const core::UserId& id) {
  auto it = contents.overrides.find(id);
  if (it == contents.overrides.end()) {
    const core::UserPolicy* definition = contents.policy->DefinitionOf(id);
    if (definition == nullptr) return nullptr;
    it = contents.overrides.find(definition->id);
  }
  return it == contents.overrides.end() ? nullptr : &*it;
}

DefinedUser Patched(DefinedUser old, const UserPatch& patch,
                    const core::Settings& settings) {
  Set(patch.display_name, old.display_name);
  Set(patch.selectors, old.policy.selectors);
  Set(patch.exempt, old.policy.exempt);
  if (patch.shares.has_value()) {
    old.policy.shares = patch.shares->value_or(settings.default_shares);
  }
  Set(patch.limit, old.policy.limit);
  if (patch.burst.has_value() || patch.steal.has_value()) {
    core::Limit limit = old.policy.limit.value_or(settings.default_limit);
    Set(patch.burst, limit.burst);
    Set(patch.steal, limit.steal);
    old.policy.limit = limit;
  }
  Set(patch.nice, old.policy.nice);
  Set(patch.group, old.policy.group);
  Set(patch.expand, old.policy.expand);
  const std::optional<int64_t> implied = core::UidOfImplicitId(old.policy.id);
  if (old.policy.selectors.empty() && implied.has_value()) {
    old.policy.selectors = {core::UidSelector(*implied)};
  }
  return old;
}

DefinedGroup Patched(DefinedGroup old, const GroupPatch& patch) {
  Set(patch.parent, old.policy.parent);
  Set(patch.shares, old.policy.shares);
  Set(patch.limit_millicpus, old.policy.limit_millicpus);
  return old;
}

core::Settings Patched(core::Settings old, const SettingsPatch& patch) {
  Set(patch.mode, old.mode);
  Set(patch.pacing, old.pacing);
  Set(patch.window, old.window);
  Set(patch.auto_window, old.auto_window);
  Set(patch.interval, old.interval);
  Set(patch.default_limit, old.default_limit);
  Set(patch.default_steal, old.default_steal);
  Set(patch.tick, old.tick);
  Set(patch.default_shares, old.default_shares);
  Set(patch.floor_millicpus, old.floor_millicpus);
  Set(patch.uid_ranges, old.uid_ranges);
  Set(patch.exempt_uids, old.exempt_uids);
  return old;
}

std::string EtagOf(const core::GroupPolicy& group, uint64_t revision) {
  return Fingerprint(absl::StrCat("group ", revision, " ", group.id, " ",
                                  group.parent, " ", group.shares, " ",
                                  group.limit_millicpus.value_or(0)));
}

std::string EtagOf(const DefinedUser& user, uint64_t revision) {
  const auto selector = [](std::string* out, const core::Selector& s) {
    absl::StrAppend(out, core::KindName(s.kind), "=", core::TextOf(s));
  };
  return Fingerprint(absl::StrCat(
      "user ", revision, " ", user.policy.id, " ", user.policy.shares, " ",
      user.policy.exempt ? 1 : 0, user.policy.expand ? 1 : 0, " ",
      Text(user.policy.limit), " ", user.policy.nice, " ", user.policy.group,
      " ", absl::StrJoin(user.policy.selectors, ",", selector), " ",
      user.display_name));
}

std::string EtagOf(const core::Settings& settings, uint64_t revision) {
  const auto range = [](std::string* out, core::UidRange r) {
    absl::StrAppend(out, r.first, "-", r.last);
  };
  return Fingerprint(absl::StrCat(
      "settings ", revision, " ", static_cast<int>(settings.mode), " ",
      static_cast<int>(settings.pacing), " ",
      absl::ToInt64Microseconds(settings.window), " ",
      absl::ToInt64Microseconds(settings.auto_window.min), " ",
      absl::ToInt64Microseconds(settings.auto_window.max), " ",
      settings.auto_window.quantum.usec(), " ",
      absl::ToInt64Microseconds(settings.interval), " ",
      Text(settings.default_limit), " ", Text(settings.default_steal), " ",
      absl::ToInt64Microseconds(settings.tick), " ", settings.default_shares,
      " ", settings.floor_millicpus, " ",
      absl::StrJoin(settings.uid_ranges, ",", range), " ",
      absl::StrJoin(settings.exempt_uids, ",")));
}

}  // namespace fairsched::server
