// SPDX-License-Identifier: Apache-2.0
#include "agent/core/policy.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace fairsched::core {

Policy::Policy(Settings settings, std::vector<UserPolicy> users)
    : settings_(std::move(settings)) {
  for (UserPolicy& user : users) {
    for (const int64_t uid : user.uids) user_of_uid_.emplace(uid, user.id);
    UserId id = user.id;
    users_.insert_or_assign(std::move(id), std::move(user));
  }
  for (const int64_t uid : settings_.exempt_uids) {
    if (!user_of_uid_.contains(uid)) {
      terms_[ImplicitId(uid)] = {.shares = settings_.default_shares,
                                 .exempt = true};
    }
  }
  for (const auto& [id, unused] : users_) {
    const UserPolicy user = Of(id);
    terms_[id] = {.shares = user.shares, .exempt = user.exempt};
  }
}

std::optional<UserId> Policy::UserOfUid(int64_t uid) const {
  if (const auto it = user_of_uid_.find(uid); it != user_of_uid_.end())
    return it->second;
  const bool exempt = std::ranges::count(settings_.exempt_uids, uid) > 0;
  const bool managed = std::ranges::any_of(
      settings_.uid_ranges,
      [uid](UidRange r) { return r.first <= uid && uid <= r.last; });
  if (exempt || managed) return ImplicitId(uid);
  return std::nullopt;
}

UserPolicy Policy::Of(const UserId& id) const {
  UserPolicy user{.id = id, .shares = settings_.default_shares};
  const auto it = users_.find(id);
  if (it != users_.end()) user = it->second;
  const std::optional<int64_t> uid = UidOfImplicitId(id);
  if (user.uids.empty() && uid.has_value()) user.uids = {*uid};
  user.exempt |= std::ranges::any_of(user.uids, [this](int64_t u) {
    return std::ranges::count(settings_.exempt_uids, u) > 0;
  });
  return user;
}

Terms Policy::TermsOf(const UserId& id) const {
  const auto it = terms_.find(id);
  if (it != terms_.end()) return it->second;
  return {.shares = settings_.default_shares, .exempt = false};
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
