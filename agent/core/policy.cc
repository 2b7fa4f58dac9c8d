// SPDX-License-Identifier: Apache-2.0
#include "agent/core/policy.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "agent/core/expand.h"

namespace fairsched::core {
namespace {

void Apply(const Override& override, Terms& terms) {
  switch (override.kind) {
    case Override::Kind::kRestrict: {
      if (terms.exempt) break;
      const double cpus = static_cast<double>(override.millicpus) / 1000;
      const bool is_lower =
          terms.limit == Limit::Kind::kCpus && terms.limit_cpus < cpus;
      terms.limit_cpus = is_lower ? terms.limit_cpus : cpus;
      terms.limit = Limit::Kind::kCpus;
      terms.steal_cpus = 0;
      terms.burst = CpuTime();
      break;
    }
    case Override::Kind::kBoost:
      terms.shares *= override.factor;
      break;
    case Override::Kind::kExempt:
      terms.exempt = true;
      terms.limit = Limit::Kind::kNone;
      terms.limit_cpus = 0;
      break;
  }
}

double CpusOf(const Steal& steal) {
  return steal.unlimited ? std::numeric_limits<double>::infinity()
                         : steal.per_second.seconds();
}

// That it selects one by one.
std::vector<int64_t> ChosenUids(const UserPolicy& user,
                                const KnownNames& names) {
  std::vector<int64_t> uids;
  for (const Selector& selector : user.selectors) {
    if (selector.kind == Selector::Kind::kUid) uids.push_back(selector.uid);
    if (selector.kind != Selector::Kind::kLogin) continue;
    const auto login = names.logins.find(selector.text);
    if (login != names.logins.end()) uids.push_back(login->second);
  }
  return uids;
}

}  // namespace

std::set<std::string> NamesIn(const std::map<UserId, UserPolicy>& users,
                              Selector::Kind kind) {
  std::set<std::string> names;
  for (const auto& [id, user] : users) {
    for (const Selector& selector : user.selectors) {
      if (selector.kind == kind) names.insert(selector.text);
    }
  }
  return names;
}

Policy::Policy(Settings settings, std::vector<UserPolicy> users,
               std::vector<GroupPolicy> groups, KnownNames names,
               std::map<UserId, Override> overrides)
    : settings_(std::move(settings)),
      names_(std::move(names)),
      overrides_(std::move(overrides)) {
  for (GroupPolicy& group : groups) {
    GroupId id = group.id;
    groups_.insert_or_assign(std::move(id), std::move(group));
  }
  PlaceGroups();
  for (UserPolicy& user : users) {
    UserId id = user.id;
    users_.insert_or_assign(std::move(id), std::move(user));
  }
  for (const auto& [id, user] : users_) AddSelectors(user);
  AddUids();
  for (const int64_t uid : settings_.exempt_uids) {
    if (!user_of_uid_.contains(uid)) {
      const UserId id = ImplicitId(uid);
      terms_[id] = MakeTerms(Of(id));
    }
  }
  for (const auto& [id, unused] : users_) terms_[id] = MakeTerms(Of(id));
  for (const auto& [id, override] : overrides_) {
    const auto terms = terms_.try_emplace(id, MakeTerms(Of(id))).first;
    Apply(override, terms->second);
  }
  default_terms_ = MakeTerms({.shares = settings_.default_shares});
}

void Policy::PlaceGroups() {
  group_index_[""] = 0;
  const auto place = [this](const GroupPolicy& group, size_t parent) {
    group_index_[group.id] = group_terms_.size();
    group_terms_.push_back(
        {.id = group.id,
         .parent = parent,
         .shares = group.shares,
         .limit_cpus =
             static_cast<double>(group.limit_millicpus.value_or(0)) / 1000,
         .steal_cpus = CpusOf(settings_.default_steal)});
  };
  for (size_t before = 0; before < group_terms_.size();) {
    before = group_terms_.size();
    for (const auto& [id, group] : groups_) {
      const auto parent = group_index_.find(group.parent);
      if (!group_index_.contains(id) && parent != group_index_.end())
        place(group, parent->second);
    }
    if (before == group_terms_.size()) break;
  }
  for (const auto& [id, group] : groups_) {
    if (!group_index_.contains(id)) place(group, 0);
  }
}

Terms Policy::MakeTerms(const UserPolicy& user) const {
  const Limit limit = user.limit.value_or(settings_.default_limit);
  const Steal steal = limit.steal.value_or(settings_.default_steal);
  const auto group = group_index_.find(user.group);
  return {.shares = user.shares,
          .exempt = user.exempt,
          .limit = user.exempt ? Limit::Kind::kNone : limit.kind,
          .limit_cpus = limit.kind == Limit::Kind::kCpus && !user.exempt
                            ? static_cast<double>(limit.millicpus) / 1000
                            : 0,
          .steal_cpus = CpusOf(steal),
          .burst = limit.burst,
          .nice = user.nice,
          .group = group == group_index_.end() ? 0 : group->second};
}

const UserPolicy* Policy::DefinitionOf(const UserId& id) const {
  auto it = users_.find(id);
  if (it != users_.end()) return &it->second;
  const std::optional<UserId> base = BaseOfExpanded(id);
  if (base.has_value()) it = users_.find(*base);
  return it != users_.end() && it->second.expand ? &it->second : nullptr;
}

void Policy::AddSelectors(const UserPolicy& user) {
  for (const Selector& selector : user.selectors) {
    switch (selector.kind) {
      case Selector::Kind::kUid:
        AddUid(selector.uid, user);
        break;
      case Selector::Kind::kLogin:
      case Selector::Kind::kUnixGroup:
        break;  // by AddUids()
      case Selector::Kind::kUnit:
        units_.push_back({selector.text, user.id});
        break;
      case Selector::Kind::kCgroup:
        cgroups_.push_back({selector.text, user.id});
        break;
    }
  }
}

bool Policy::AddUid(int64_t uid, const UserPolicy& user) {
  if (!user_of_uid_.try_emplace(uid, user.id).second) return false;
  uids_of_[user.expand ? ExpandedId(user.id, ImplicitId(uid)) : user.id]
      .push_back(uid);
  return true;
}

// After those that are selected as such.
void Policy::AddUids() {
  for (const auto& [id, user] : users_) {
    for (const int64_t uid : ChosenUids(user, names_)) AddUid(uid, user);
  }
  for (const auto& [id, user] : users_) {
    for (const Selector& selector : user.selectors) {
      if (selector.kind != Selector::Kind::kUnixGroup) continue;
      const auto members = names_.unix_groups.find(selector.text);
      if (members == names_.unix_groups.end()) continue;
      for (const int64_t uid : members->second) {
        if (IsInRanges(uid) && !IsExempt(uid) && AddUid(uid, user))
          by_group_.insert(uid);
      }
    }
  }
}

bool Policy::IsExempt(int64_t uid) const {
  return std::ranges::count(settings_.exempt_uids, uid) > 0;
}

bool Policy::IsInRanges(int64_t uid) const {
  return std::ranges::any_of(settings_.uid_ranges, [uid](UidRange r) {
    return r.first <= uid && uid <= r.last;
  });
}

std::vector<int64_t> Policy::UidsOf(const UserId& id) const {
  const auto it = uids_of_.find(id);
  if (it != uids_of_.end()) return it->second;
  const std::optional<int64_t> uid = UidOfImplicitId(id);
  if (uid.has_value() && UserOfUid(*uid) == id) return {*uid};
  return {};
}

std::optional<UserId> Policy::UserOfUid(int64_t uid) const {
  if (const auto it = user_of_uid_.find(uid); it != user_of_uid_.end()) {
    if (!users_.at(it->second).expand) return it->second;
    return ExpandedId(it->second, ImplicitId(uid));
  }
  if (IsExempt(uid) || IsInRanges(uid)) return ImplicitId(uid);
  return std::nullopt;
}

UserPolicy Policy::Of(const UserId& id) const {
  UserPolicy user{.id = id, .shares = settings_.default_shares};
  if (const UserPolicy* defined = DefinitionOf(id); defined != nullptr) {
    user = *defined;
    user.id = id;
  }
  const std::optional<int64_t> uid = UidOfImplicitId(id);
  if (user.selectors.empty() && uid.has_value())
    user.selectors = {UidSelector(*uid)};
  user.exempt |=
      std::ranges::any_of(ChosenUids(user, names_),
                          [this](int64_t chosen) { return IsExempt(chosen); });
  return user;
}

const Terms& Policy::TermsOf(const UserId& id) const {
  const auto it = terms_.find(id);
  if (it != terms_.end()) return it->second;
  if (const UserPolicy* whole = DefinitionOf(id); whole != nullptr)
    return terms_.at(whole->id);
  return default_terms_;
}

UserId ImplicitId(int64_t uid) { return absl::StrCat("uid-", uid); }

std::optional<int64_t> UidOfImplicitId(const UserId& id) {
  absl::string_view number = id;
  int64_t uid = 0;
  if (!absl::ConsumePrefix(&number, "uid-") || !absl::SimpleAtoi(number, &uid))
    return std::nullopt;
  // Exactly one spelling: "uid-007" and "uid-+7" are ids like any other.
  if (uid < 0 || ImplicitId(uid) != id) return std::nullopt;
  return uid;
}

}  // namespace fairsched::core
