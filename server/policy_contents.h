// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_POLICY_CONTENTS_H_
#define FAIRSCHED_SERVER_POLICY_CONTENTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "agent/core/policy.h"

// What the policy store holds, as values.
namespace fairsched::server {

// A user that an operator defined.
struct DefinedUser {
  core::UserPolicy policy;
  std::string display_name;
  std::string etag;  // opaque; empty: not stored (validate_only)
  absl::Time create_time;
  absl::Time update_time;
};

// A group that an operator defined.
struct DefinedGroup {
  core::GroupPolicy policy;
  std::string etag;  // opaque; empty: not stored (validate_only)
  absl::Time create_time;
  absl::Time update_time;
};

struct DefinedSettings {
  core::Settings values;
  std::string etag;  // opaque; empty: not stored (validate_only)
  absl::Time update_time;
};

// What holds of a user until it expires.
struct DefinedOverride {
  core::Override what;
  absl::Time expire_time;
  absl::Time create_time;
  std::string why;
};

// All of it at one revision: immutable, shared.
struct PolicyContents {
  uint64_t revision = 1;  // grows by one with every change
  DefinedSettings settings;
  std::map<core::UserId, std::shared_ptr<const DefinedUser>> users;
  // Why the policy's mode is observe, whatever the settings say. Empty: it is
  // as they say.
  std::string held_because;
  std::map<core::GroupId, DefinedGroup> groups;
  // Of users that are defined, parts of them, or implicit.
  std::map<core::UserId, DefinedOverride> overrides;
  // The same for the control loop; never null.
  std::shared_ptr<const core::Policy> policy;
};

// Fields of a user to set; unset ones stay, or get their default in a new user.
struct UserPatch {
  std::optional<std::string> display_name;
  std::optional<std::vector<core::Selector>> selectors;
  // Without a value inside: the settings' default_shares, as of now.
  std::optional<std::optional<int32_t>> shares;
  std::optional<bool> exempt;
  // Without a value inside: the settings' default_limit, whatever that is.
  std::optional<std::optional<core::Limit>> limit;
  std::optional<core::CpuTime> burst;  // of the limit, set after it
  std::optional<std::optional<core::Steal>> steal;  // likewise
  std::optional<int32_t> nice;
  std::optional<core::GroupId> group;
  std::optional<bool> expand;
};

// Fields of a group to set; unset ones stay, or get their default.
struct GroupPatch {
  std::optional<core::GroupId> parent;
  std::optional<int32_t> shares;
  std::optional<std::optional<int64_t>> limit_millicpus;
};

// An override to set; what is unset gets its default. Of `ttl` and
// `expire_time` one is set.
struct OverrideOrder {
  core::Override::Kind kind = core::Override::Kind::kRestrict;
  std::optional<int64_t> millicpus;
  std::optional<int32_t> factor;
  std::optional<absl::Time> expire_time;
  std::optional<absl::Duration> ttl;  // from now on
  std::string why;
};

// Settings to set; unset ones stay.
struct SettingsPatch {
  std::optional<core::Mode> mode;
  std::optional<core::Pacing> pacing;
  std::optional<absl::Duration> window;  // zero: auto
  std::optional<core::AutoWindow> auto_window;
  std::optional<absl::Duration> interval;
  std::optional<core::Limit> default_limit;
  std::optional<core::Steal> default_steal;
  std::optional<absl::Duration> tick;
  std::optional<int32_t> default_shares;
  std::optional<int32_t> floor_millicpus;
  std::optional<std::vector<core::UidRange>> uid_ranges;
  std::optional<std::vector<int64_t>> exempt_uids;
};

// What is set for `id` or, if it is a part of a user that expands, for the
// whole; null: nothing.
const std::pair<const core::UserId, DefinedOverride>* OverrideFor(
    const PolicyContents& contents, const core::UserId& id);

// What `old` becomes by `patch`. Nothing is checked. A user "uid-N" that would
// select nothing selects the uid N.
DefinedUser Patched(DefinedUser old, const UserPatch& patch,
                    const core::Settings& settings);
DefinedGroup Patched(DefinedGroup old, const GroupPatch& patch);
core::Settings Patched(core::Settings old, const SettingsPatch& patch);

// An opaque version of what operators can see of it at `revision`. Equal
// contents at equal revisions have equal etags, in every process.
std::string EtagOf(const DefinedUser& user, uint64_t revision);
std::string EtagOf(const core::GroupPolicy& group, uint64_t revision);
std::string EtagOf(const core::Settings& settings, uint64_t revision);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_POLICY_CONTENTS_H_
