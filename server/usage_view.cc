// SPDX-License-Identifier: Apache-2.0
#include "server/usage_view.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace fairsched::server {
namespace {

using Kind = UserEnforcement::Kind;

UserEnforcement Released(const runtime::Snapshot& snapshot) {
  return {.kind = Kind::kNotEnforced,
          .detail = absl::StrCat("every value was given back: ",
                                 snapshot.last_error.message())};
}

UserEnforcement NotEnforcedBy(const runtime::AppliedCgroup& applied) {
  return {.kind = Kind::kNotEnforced,
          .reason = applied.problem,
          .detail = applied.problem_text};
}

}  // namespace

UsageView ViewNow(const runtime::ControlLoop& loop, const PolicyStore& store) {
  return {.snapshot = loop.Latest(), .contents = store.Read()};
}

const core::UserId& ViewedUser::id() const {
  return decision != nullptr ? decision->id : defined->policy.id;
}

void VisitUsers(const UsageView& view, const core::UserId& after,
                absl::FunctionRef<bool(const ViewedUser&)> visit) {
  const std::vector<core::UserDecision>& present =
      view.snapshot->decision.users;
  auto decision = std::ranges::upper_bound(present, after, std::ranges::less(),
                                           &core::UserDecision::id);
  auto defined = view.contents->users.upper_bound(after);
  const auto end = view.contents->users.end();
  while (decision != present.end() || defined != end) {
    const bool has_decision =
        decision != present.end() &&
        (defined == end || decision->id <= defined->first);
    const bool has_definition =
        defined != end && (!has_decision || defined->first == decision->id);
    ViewedUser user;
    if (has_decision) user.decision = &*decision++;
    if (has_definition) user.defined = (defined++)->second.get();
    if (!visit(user)) return;
  }
}

std::optional<ViewedUser> FindUser(const UsageView& view,
                                   const core::UserId& id) {
  const std::vector<core::UserDecision>& present =
      view.snapshot->decision.users;
  const auto decision = std::ranges::lower_bound(
      present, id, std::ranges::less(), &core::UserDecision::id);
  const auto defined = view.contents->users.find(id);
  ViewedUser user;
  if (decision != present.end() && decision->id == id) {
    user.decision = &*decision;
  }
  if (defined != view.contents->users.end()) {
    user.defined = defined->second.get();
  }
  if (user.decision == nullptr && user.defined == nullptr) return std::nullopt;
  return user;
}

core::UserPolicy PolicyOf(const UsageView& view, const ViewedUser& user) {
  if (user.defined != nullptr) return user.defined->policy;
  return view.snapshot->policy->Of(user.id());
}

UserEnforcement EnforcementOf(const runtime::Snapshot& snapshot,
                              const core::UserDecision& user) {
  if (user.state == core::UserState::kAbsent) return {};
  const bool exempt = user.state == core::UserState::kExempt;
  if (snapshot.enforcement == runtime::Enforcement::kReleased && !exempt) {
    return Released(snapshot);
  }
  if (snapshot.enforcement != runtime::Enforcement::kEnforcing) return {};
  const runtime::AppliedCgroup* problem = nullptr;
  bool applied_all = !user.cgroups.empty();
  for (const core::CgroupDecision& cgroup : user.cgroups) {
    const auto it = snapshot.applied.cgroups.find(cgroup.inode);
    applied_all &= it != snapshot.applied.cgroups.end();
    if (it == snapshot.applied.cgroups.end() || !it->second.problem) continue;
    // That a cgroup is gone is normal: anything else says more.
    if (problem == nullptr || problem->problem == runtime::NotEnforced::kGone) {
      problem = &it->second;
    }
  }
  if (problem != nullptr) return NotEnforcedBy(*problem);
  if (!applied_all || user.sampled) return {};
  return {.kind = Kind::kEnforced};
}

}  // namespace fairsched::server
