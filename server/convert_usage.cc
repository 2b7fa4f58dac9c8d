// SPDX-License-Identifier: Apache-2.0
#include "server/convert_usage.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "server/convert_fairness.h"
#include "server/convert_override.h"
#include "server/convert_time.h"
#include "server/resource_name.h"

namespace fairsched::server {
namespace {

using v1::UserUsage;

UserUsage::State EnumOf(core::UserState state) {
  switch (state) {
    case core::UserState::kAbsent:
      return UserUsage::STATE_ABSENT;
    case core::UserState::kQuiet:
      return UserUsage::STATE_QUIET;
    case core::UserState::kRunning:
      return UserUsage::STATE_RUNNING;
    case core::UserState::kSpent:
      return UserUsage::STATE_SPENT;
    case core::UserState::kHeld:
      return UserUsage::STATE_HELD;
    case core::UserState::kLimited:
      return UserUsage::STATE_LIMITED;
    case core::UserState::kExempt:
      return UserUsage::STATE_EXEMPT;
  }
  return UserUsage::STATE_UNSPECIFIED;
}

UserUsage::ReasonCode EnumOf(core::ReasonCode code) {
  switch (code) {
    case core::ReasonCode::kNone:
      return UserUsage::REASON_CODE_UNSPECIFIED;
    case core::ReasonCode::kQuiet:
      return UserUsage::REASON_CODE_QUIET;
    case core::ReasonCode::kHasTokens:
      return UserUsage::REASON_CODE_HAS_TOKENS;
    case core::ReasonCode::kSpentAlone:
      return UserUsage::REASON_CODE_SPENT_ALONE;
    case core::ReasonCode::kSpentUncontended:
      return UserUsage::REASON_CODE_SPENT_UNCONTENDED;
    case core::ReasonCode::kSpentOthersStarve:
      return UserUsage::REASON_CODE_SPENT_OTHERS_STARVE;
    case core::ReasonCode::kFloor:
      return UserUsage::REASON_CODE_FLOOR;
    case core::ReasonCode::kAtLimit:
      return UserUsage::REASON_CODE_AT_LIMIT;
    case core::ReasonCode::kStealUsedUp:
      return UserUsage::REASON_CODE_STEAL_USED_UP;
    case core::ReasonCode::kExempt:
      return UserUsage::REASON_CODE_EXEMPT;
  }
  return UserUsage::REASON_CODE_UNSPECIFIED;
}

UserUsage::Enforcement EnumOf(UserEnforcement::Kind kind) {
  switch (kind) {
    case UserEnforcement::Kind::kEnforced:
      return UserUsage::ENFORCEMENT_ENFORCED;
    case UserEnforcement::Kind::kObserved:
      return UserUsage::ENFORCEMENT_OBSERVED;
    case UserEnforcement::Kind::kNotEnforced:
      return UserUsage::ENFORCEMENT_NOT_ENFORCED;
  }
  return UserUsage::ENFORCEMENT_UNSPECIFIED;
}

UserUsage::NotEnforcedReason EnumOf(runtime::NotEnforced reason) {
  switch (reason) {
    case runtime::NotEnforced::kNoController:
      return UserUsage::NOT_ENFORCED_REASON_NO_CONTROLLER;
    case runtime::NotEnforced::kGone:
      return UserUsage::NOT_ENFORCED_REASON_GONE;
    case runtime::NotEnforced::kPermission:
      return UserUsage::NOT_ENFORCED_REASON_PERMISSION;
    case runtime::NotEnforced::kReadOnly:
      return UserUsage::NOT_ENFORCED_REASON_READ_ONLY;
    case runtime::NotEnforced::kOtherWriter:
      return UserUsage::NOT_ENFORCED_REASON_OTHER_WRITER;
    case runtime::NotEnforced::kUnsupported:
      return UserUsage::NOT_ENFORCED_REASON_UNSUPPORTED;
    case runtime::NotEnforced::kNested:
      return UserUsage::NOT_ENFORCED_REASON_NESTED;
    case runtime::NotEnforced::kOwnCgroup:
      return UserUsage::NOT_ENFORCED_REASON_OWN_CGROUP;
  }
  return UserUsage::NOT_ENFORCED_REASON_UNSPECIFIED;
}

UserUsage::Ceiling CeilingOf(const core::Ceiling& ceiling) {
  UserUsage::Ceiling proto;
  *proto.mutable_quota() = ToProto(ceiling.quota);
  *proto.mutable_period() = ToProto(ceiling.period);
  *proto.mutable_burst() = ToProto(ceiling.burst);
  return proto;
}

void AddKernelValues(const runtime::Snapshot& snapshot,
                     const core::UserDecision& user, UserUsage& proto) {
  for (const core::CgroupDecision& cgroup : user.cgroups) {
    const auto applied = snapshot.applied.cgroups.find(cgroup.inode);
    // A sampled user has no cgroup to show.
    if (applied == snapshot.applied.cgroups.end() && user.sampled) continue;
    UserUsage::KernelValues* values = proto.add_kernel_values();
    values->set_wanted_weight(cgroup.wanted.weight);
    values->set_wanted_idle(cgroup.wanted.idle);
    if (cgroup.wanted.ceiling.has_value())
      *values->mutable_wanted_ceiling() = CeilingOf(*cgroup.wanted.ceiling);
    if (applied == snapshot.applied.cgroups.end()) continue;
    values->set_cgroup(applied->second.path);
    if (!applied->second.values.has_value() ||
        snapshot.enforcement != runtime::Enforcement::kEnforcing) {
      continue;
    }
    values->set_own_values(applied->second.own_values);
    values->set_applied_weight(applied->second.values->weight);
    values->set_applied_idle(applied->second.values->idle);
    if (const auto& ceiling = applied->second.values->ceiling)
      *values->mutable_applied_ceiling() = CeilingOf(*ceiling);
  }
}

void AddEnforcement(const runtime::Snapshot& snapshot,
                    const core::UserDecision& user, UserUsage& proto) {
  UserEnforcement enforcement = EnforcementOf(snapshot, user);
  proto.set_enforcement(EnumOf(enforcement.kind));
  if (enforcement.reason.has_value()) {
    proto.set_not_enforced_reason(EnumOf(*enforcement.reason));
  }
  proto.set_not_enforced_detail(std::move(enforcement.detail));
}

void AddFigures(const core::UserDecision& user, UserUsage& proto) {
  proto.set_shares(user.shares);
  proto.set_cpus(user.cpus);
  proto.set_entitlement_cpus(user.entitlement_cpus);
  if (user.demand_cpus.has_value()) proto.set_demand_cpus(*user.demand_cpus);
  *proto.mutable_balance() = ToProto(user.balance);
  *proto.mutable_entitlement() = ToProto(user.entitlement);
  *proto.mutable_used() = ToProto(user.used);
  *proto.mutable_surplus() = ToProto(user.surplus);
  *proto.mutable_held() = ToProto(user.held);
  if (user.processes.has_value()) proto.set_process_count(*user.processes);
  if (user.threads.has_value()) proto.set_thread_count(*user.threads);
  proto.set_sampled(user.sampled);
  proto.set_group(GroupName(user.group));
  proto.set_fair_cpus(user.fair_cpus);
  if (user.error_ratio.has_value()) proto.set_error_ratio(*user.error_ratio);
  *proto.mutable_total_used() = ToProto(user.totals.used);
  *proto.mutable_total_surplus() = ToProto(user.totals.surplus);
  *proto.mutable_total_held() = ToProto(user.totals.held);
}

void AddLimit(const core::UserDecision& user, UserUsage& proto) {
  if (user.limit_cpus.has_value()) {
    proto.set_limit_cpus(*user.limit_cpus);
    proto.set_steal_unlimited(std::isinf(user.steal_cpus));
    if (std::isfinite(user.steal_cpus)) proto.set_steal_cpus(user.steal_cpus);
  }
  *proto.mutable_stolen() = ToProto(user.stolen);
  *proto.mutable_total_stolen() = ToProto(user.totals.stolen);
  *proto.mutable_total_throttled() = ToProto(user.totals.throttled);
}

bool IsKnown(const core::Selector& selector, const core::KnownNames& names) {
  switch (selector.kind) {
    case core::Selector::Kind::kLogin:
      return names.logins.contains(selector.text);
    case core::Selector::Kind::kUnixGroup:
      return names.unix_groups.contains(selector.text);
    case core::Selector::Kind::kUid:
    case core::Selector::Kind::kUnit:
    case core::Selector::Kind::kCgroup:
      break;
  }
  return true;
}

// Why a user has nothing here.
std::string AbsenceOf(const core::UserPolicy& policy,
                      const core::KnownNames& names) {
  for (const core::Selector& selector : policy.selectors) {
    if (IsKnown(selector, names)) continue;
    return absl::StrCat("absent: the ", core::KindWords(selector.kind), " '",
                        selector.text, "' is not known here, or not yet");
  }
  return "absent: has no process";
}

void AddAbsence(const core::UserPolicy& policy, const core::KnownNames& names,
                UserUsage& proto) {
  proto.set_state(UserUsage::STATE_ABSENT);
  proto.set_enforcement(UserUsage::ENFORCEMENT_OBSERVED);
  proto.set_reason_code(UserUsage::REASON_CODE_ABSENT);
  proto.set_reason(AbsenceOf(policy, names));
  proto.set_shares(policy.shares);
}

}  // namespace

UserUsage ToProto(const UsageView& view, const ViewedUser& user) {
  const core::UserPolicy policy = PolicyOf(view, user);
  UserUsage proto;
  proto.set_user(UserName(user.id()));
  const core::KnownNames& names = view.contents->policy->names();
  const std::vector<int64_t> uids = view.contents->policy->UidsOf(user.id());
  if (!uids.empty()) proto.set_uid(uids.front());
  if (user.defined != nullptr) {
    proto.set_display_name(user.defined->display_name);
  }
  if (const auto* override = OverrideFor(*view.contents, user.id()))
    *proto.mutable_override() = ToProto(override->first, override->second);
  if (user.decision == nullptr) {
    AddAbsence(policy, names, proto);
    return proto;
  }
  const core::UserDecision& decision = *user.decision;
  AddLimit(decision, proto);
  AddFigures(decision, proto);
  if (decision.state == core::UserState::kAbsent) {
    AddAbsence(policy, names, proto);
    return proto;
  }
  proto.set_state(EnumOf(decision.state));
  proto.set_reason_code(EnumOf(decision.reason.code));
  proto.set_reason(decision.reason.text);
  AddEnforcement(*view.snapshot, decision, proto);
  AddKernelValues(*view.snapshot, decision, proto);
  return proto;
}

double ExemptCpus(const core::Decision& decision) {
  double cpus = 0;
  for (const core::UserDecision& user : decision.users) {
    if (user.state == core::UserState::kExempt) cpus += user.cpus;
  }
  if (decision.node.elapsed <= absl::ZeroDuration()) return 0;
  return std::min(cpus, decision.node.unmanaged.Cpus(decision.node.elapsed));
}

v1::NodeUsage NodeUsageOf(const runtime::Snapshot& snapshot) {
  const core::NodeDecision& node = snapshot.decision.node;
  v1::NodeUsage proto;
  if (node.elapsed > absl::ZeroDuration()) {
    const double unmanaged = node.unmanaged.Cpus(node.elapsed);
    const double exempt = ExemptCpus(snapshot.decision);
    proto.set_capacity_cpus(node.capacity.Cpus(node.elapsed));
    proto.set_managed_cpus(node.managed.Cpus(node.elapsed));
    proto.set_exempt_cpus(exempt);
    proto.set_other_cpus(unmanaged - exempt);
    proto.set_idle_cpus(node.idle.Cpus(node.elapsed));
    proto.set_hypervisor_steal_cpus(node.hypervisor_steal.Cpus(node.elapsed));
  }
  *proto.mutable_window() = ToProto(node.window);
  *proto.mutable_window_age() = ToProto(node.window_age);
  proto.set_window_number(static_cast<int64_t>(node.window_number));
  proto.set_contended(node.contended);
  proto.set_wanting_user_count(node.wanting_users);
  if (node.fairness.has_value())
    *proto.mutable_fairness() = ToProto(*node.fairness);
  *proto.mutable_total_lost() = ToProto(node.lost);
  proto.set_weight_top(node.weight_top);
  proto.set_weight_top_shrunk(node.weight_top_shrunk);
  return proto;
}

absl::string_view StateName(core::UserState state) {
  switch (state) {
    case core::UserState::kAbsent:
      return "absent";
    case core::UserState::kQuiet:
      return "quiet";
    case core::UserState::kRunning:
      return "running";
    case core::UserState::kSpent:
      return "spent";
    case core::UserState::kHeld:
      return "held";
    case core::UserState::kLimited:
      return "limited";
    case core::UserState::kExempt:
      break;
  }
  return "exempt";
}

absl::string_view NotEnforcedName(runtime::NotEnforced reason) {
  switch (reason) {
    case runtime::NotEnforced::kNoController:
      return "no_controller";
    case runtime::NotEnforced::kGone:
      return "gone";
    case runtime::NotEnforced::kPermission:
      return "permission";
    case runtime::NotEnforced::kReadOnly:
      return "read_only";
    case runtime::NotEnforced::kOtherWriter:
      return "other_writer";
    case runtime::NotEnforced::kNested:
      return "nested";
    case runtime::NotEnforced::kOwnCgroup:
      return "own_cgroup";
    case runtime::NotEnforced::kUnsupported:
      break;
  }
  return "unsupported";
}

}  // namespace fairsched::server
