// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_USAGE_VIEW_H_
#define FAIRSCHED_SERVER_USAGE_VIEW_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "agent/core/decision.h"
#include "agent/core/policy.h"
#include "agent/runtime/control_loop.h"
#include "agent/runtime/snapshot.h"
#include "server/policy_store.h"

namespace fairsched::server {

// What readers of usage see: the last tick and the definitions, both immutable.
struct UsageView {
  std::shared_ptr<const runtime::Snapshot> snapshot;  // never null
  std::shared_ptr<const PolicyContents> contents;     // never null
  friend bool operator==(const UsageView&, const UsageView&) = default;
};

UsageView ViewNow(const runtime::ControlLoop& loop, const PolicyStore& store);

// One user of a view: present, defined, or both.
struct ViewedUser {
  const core::UserDecision* decision = nullptr;  // null: not in the snapshot
  const DefinedUser* defined = nullptr;          // null: implicit
  const core::UserId& id() const;
};

// Calls `visit` with the users behind `after` (empty: all) in order of id, each
// once, until it returns false.
void VisitUsers(const UsageView& view, const core::UserId& after,
                absl::FunctionRef<bool(const ViewedUser&)> visit);

// Nullopt: neither present nor defined.
std::optional<ViewedUser> FindUser(const UsageView& view,
                                   const core::UserId& id);

// As defined, or as the defaults in force make it.
core::UserPolicy PolicyOf(const UsageView& view, const ViewedUser& user);

// Whether a user's decision holds in the kernel.
struct UserEnforcement {
  enum class Kind { kEnforced, kObserved, kNotEnforced };
  Kind kind = Kind::kObserved;
  // Of kNotEnforced. Unset: every value of the node was given back.
  std::optional<runtime::NotEnforced> reason;
  std::string detail;  // of kNotEnforced: operation, file, cause
};

UserEnforcement EnforcementOf(const runtime::Snapshot& snapshot,
                              const core::UserDecision& user);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_USAGE_VIEW_H_
