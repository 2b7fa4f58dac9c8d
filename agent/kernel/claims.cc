// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/claims.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "agent/kernel/unit_path.h"

namespace fairsched::kernel {
namespace {

class Finder {
 public:
  Finder(FileSystem& fs, const std::string& mount, const core::Policy& policy)
      : fs_(fs), mount_(mount), policy_(policy) {}

  Claims Find() && {
    FindUserSlices();
    return std::move(claims_);
  }

 private:
  void FindUserSlices() {
    for (const std::string& name : List(kUserSlice)) {
      const std::optional<int64_t> uid = UidOfUserSlice(name);
      if (!uid.has_value()) continue;
      std::optional<core::UserId> user = policy_.UserOfUid(*uid);
      if (!user.has_value()) continue;
      const bool defined = policy_.users().contains(*user);
      Add(absl::StrCat(kUserSlice, "/", name),
          {.kind = defined ? Claim::Kind::kUid : Claim::Kind::kImplicit,
           .user = *std::move(user)});
    }
  }

  // The directories in a cgroup; none, if it is gone.
  std::vector<std::string> List(absl::string_view path) {
    absl::StatusOr<std::vector<std::string>> names =
        fs_.ListDirectories(absl::StrCat(mount_, path));
    if (names.ok()) return *std::move(names);
    if (!absl::IsNotFound(names.status()))
      claims_.first_error.Update(names.status());
    return {};
  }

  void Add(std::string path, Claim claim) {
    const auto [known, is_new] =
        claims_.by_path.try_emplace(std::move(path), claim);
    if (!is_new && claim < known->second) known->second = std::move(claim);
  }

  FileSystem& fs_;
  const std::string& mount_;
  const core::Policy& policy_;
  Claims claims_;
};

}  // namespace

Claims FindClaims(FileSystem& fs, const std::string& mount,
                  const core::Policy& policy) {
  return Finder(fs, mount, policy).Find();
}

}  // namespace fairsched::kernel
