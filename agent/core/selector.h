// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_SELECTOR_H_
#define FAIRSCHED_AGENT_CORE_SELECTOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fairsched::core {

inline constexpr int64_t kMaxUid = 4294967294;  // (uid_t)-1 is "no uid"
inline constexpr size_t kMaxLoginBytes = 256;   // of unix groups, too
inline constexpr size_t kMaxUnitBytes = 255;    // systemd's own bound
inline constexpr size_t kMaxCgroupBytes = 1024;
inline constexpr size_t kMaxCgroupDepth = 16;

// One property that makes processes or cgroups a user's.
struct Selector {
  enum class Kind {
    kUid,        // the processes, or the login slice, of a uid
    kLogin,      // the same, of a login's uid
    kUnit,       // the cgroup of a systemd unit
    kCgroup,     // cgroups by path below the root; '*' and '?' match in a name
    kUnixGroup,  // the managed uids whose logins are in a unix group
  };
  Kind kind = Kind::kUid;
  int64_t uid = 0;   // of kUid, 0..kMaxUid
  std::string text;  // of the other kinds

  friend bool operator==(const Selector&, const Selector&) = default;
};

Selector UidSelector(int64_t uid);
Selector LoginSelector(std::string login);
Selector UnitSelector(std::string unit);
Selector CgroupSelector(std::string cgroup);
Selector UnixGroupSelector(std::string unix_group);
// One for each.
std::vector<Selector> UidSelectors(const std::vector<int64_t>& uids);

// "uid", "login", "unit", "cgroup", "unix_group".
const char* KindName(Selector::Kind kind);
// The same for people: "unix group".
std::string KindWords(Selector::Kind kind);
// What it selects: "1001", "nginx.service".
std::string TextOf(const Selector& selector);

// Why it is not allowed, with the value and what is: "1 is not in ...". Empty:
// it is.
std::string ProblemOf(const Selector& selector);

// Whether the path of a cgroup selector stands for many.
bool HasWildcard(const std::string& cgroup);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_SELECTOR_H_
