// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/claims.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "agent/core/expand.h"
#include "agent/kernel/cgroup_glob.h"
#include "agent/kernel/tree_layout.h"
#include "agent/kernel/unit_path.h"

namespace fairsched::kernel {
namespace {

class Finder {
 public:
  Finder(FileSystem& fs, const std::string& mount, const core::Policy& policy)
      : fs_(fs), mount_(mount), policy_(policy) {}

  Claims Find() && {
    FindUserSlices();
    FindUnits();
    FindCgroups();
    return std::move(claims_);
  }

 private:
  void FindUserSlices() {
    for (const std::string& name : List(std::string(kUserSlice))) {
      const std::optional<int64_t> uid = UidOfUserSlice(name);
      if (!uid.has_value()) continue;
      std::optional<core::UserId> user = policy_.UserOfUid(*uid);
      if (!user.has_value()) continue;
      claims_.uids.insert(*uid);
      Add(absl::StrCat(kUserSlice, "/", name),
          {.kind = KindOf(*uid, *user), .user = *std::move(user)});
    }
  }

  Claim::Kind KindOf(int64_t uid, const core::UserId& user) const {
    if (policy_.DefinitionOf(user) == nullptr) return Claim::Kind::kImplicit;
    return policy_.IsOfUnixGroup(uid) ? Claim::Kind::kUnixGroup
                                      : Claim::Kind::kUid;
  }

  void FindUnits() {
    for (const core::SelectedBy& selector : policy_.unit_selectors()) {
      const std::optional<std::string> path = PathOfUnit(selector.text);
      if (path.has_value()) {
        AddExact(*path, {.kind = Claim::Kind::kUnit, .user = selector.user});
      } else {
        units_.try_emplace(selector.text, selector.user);
      }
    }
    if (!units_.empty()) FindUnitsIn("");
  }

  // A slice, and those in it. The slices of logins have units of their own,
  // which are other ones than the system's of the same name.
  void FindUnitsIn(const std::string& slice) {
    for (const std::string& name : List(slice)) {
      const std::string path = absl::StrCat(slice, "/", name);
      if (const auto unit = units_.find(name); unit != units_.end())
        Add(path, {.kind = Claim::Kind::kUnit, .user = unit->second});
      if (absl::EndsWith(name, ".slice") && !UidOfUserSlice(name).has_value())
        FindUnitsIn(path);
    }
  }

  void FindCgroups() {
    for (const core::SelectedBy& selector : policy_.cgroup_selectors()) {
      if (core::HasWildcard(selector.text)) {
        const Claim claim = {
            .kind = Claim::Kind::kGlob,
            .glob_rank = -static_cast<int>(selector.text.size()),
            .user = selector.user};
        FindGlob("", absl::StrSplit(selector.text, '/'), claim);
      } else {
        AddExact(absl::StrCat("/", selector.text),
                 {.kind = Claim::Kind::kPath, .user = selector.user});
      }
    }
  }

  // What is at `names` below `path`.
  void FindGlob(std::string path, std::vector<std::string> names,
                const Claim& claim) {
    while (!names.empty() && !core::HasWildcard(names.front())) {
      absl::StrAppend(&path, "/", names.front());
      names.erase(names.begin());
    }
    if (names.empty()) {
      AddExact(path, claim);
      return;
    }
    const std::vector<std::string> rest(names.begin() + 1, names.end());
    for (const std::string& name : List(path)) {
      if (MatchesGlob(names.front(), name))
        FindGlob(absl::StrCat(path, "/", name), rest, claim);
    }
  }

  // The directories in a cgroup; none, if it is gone. Each is read once.
  const std::vector<std::string>& List(const std::string& path) {
    const auto [known, is_new] = listed_.try_emplace(path);
    std::vector<std::string>& names = known->second;
    if (!is_new) return names;
    absl::StatusOr<std::vector<std::string>> found =
        fs_.ListDirectories(mount_ + path);
    if (found.ok()) {
      claims_.directories.insert(mount_ + path);
      names = *std::move(found);
    } else if (!absl::IsNotFound(found.status())) {
      claims_.first_error.Update(found.status());
    }
    count_ += names.size();
    if (count_ > kMaxListedCgroups) {
      names.clear();
      claims_.first_error.Update(absl::ResourceExhaustedError(
          absl::StrCat("more than ", kMaxListedCgroups,
                       " cgroups are to be looked at, the last ones in ",
                       mount_, path, ": select by narrower patterns")));
    }
    return names;
  }

  void AddExact(const std::string& path, Claim claim) {
    claims_.directories.insert(CgroupPath(mount_, ParentOf(path)));
    Add(path, std::move(claim));
  }

  // Parts by uid are named already.
  void Add(std::string path, Claim claim) {
    const auto user = policy_.users().find(claim.user);
    if (user != policy_.users().end() && user->second.expand)
      claim.user = core::ExpandedId(claim.user, path);
    const auto [known, is_new] =
        claims_.by_path.try_emplace(std::move(path), claim);
    if (!is_new && claim < known->second) known->second = std::move(claim);
  }

  FileSystem& fs_;
  const std::string& mount_;
  const core::Policy& policy_;
  Claims claims_;
  size_t count_ = 0;  // of what was listed
  absl::flat_hash_map<std::string, core::UserId>
      units_;  // to look for, by name
  // Nodes: a walk holds references while it goes on.
  std::map<std::string, std::vector<std::string>> listed_;  // by path
};

}  // namespace

Claims FindClaims(FileSystem& fs, const std::string& mount,
                  const core::Policy& policy) {
  return Finder(fs, mount, policy).Find();
}

}  // namespace fairsched::kernel
