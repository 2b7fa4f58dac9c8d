// SPDX-License-Identifier: Apache-2.0
#include "agent/core/selector.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace fairsched::core {
namespace {

// What systemd makes cgroups for.
constexpr absl::string_view kUnitSuffixes[] = {".service", ".scope", ".slice",
                                               ".socket",  ".mount", ".swap"};

bool HasControl(absl::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    return absl::ascii_iscntrl(static_cast<unsigned char>(c));
  });
}

// `text` as a message may show it.
std::string Quoted(absl::string_view text) {
  constexpr size_t kShown = 64;
  return absl::StrCat("'", absl::Utf8SafeCEscape(text.substr(0, kShown)),
                      text.size() > kShown ? "..." : "", "'");
}

std::string ProblemOfLength(absl::string_view text, size_t most) {
  if (text.empty()) return "is empty";
  if (text.size() <= most) return "";
  return absl::StrCat(Quoted(text), " has ", text.size(), " bytes, more than ",
                      most);
}

// Of `what` in a database of the name service.
std::string ProblemOfName(absl::string_view name, absl::string_view what) {
  std::string problem = ProblemOfLength(name, kMaxLoginBytes);
  if (!problem.empty()) return problem;
  if (HasControl(name) || name.find_first_of(":/") != name.npos ||
      name.front() == '-' || absl::StripAsciiWhitespace(name) != name) {
    return absl::StrCat(Quoted(name), " is no name of a ", what,
                        ": control characters, ':', '/', a '-' first and "
                        "blanks at the ends are not allowed");
  }
  return "";
}

// Dashes are levels: between two of them is a name.
bool IsSlice(absl::string_view unit) { return absl::EndsWith(unit, ".slice"); }
bool IsWellNested(absl::string_view slice) {
  const absl::string_view name = slice.substr(0, slice.rfind('.'));
  return !absl::StartsWith(name, "-") && !absl::EndsWith(name, "-") &&
         !absl::StrContains(name, "--");
}

std::string ProblemOfUnit(absl::string_view unit) {
  std::string problem = ProblemOfLength(unit, kMaxUnitBytes);
  if (!problem.empty()) return problem;
  const bool is_plain = std::ranges::all_of(unit, [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           absl::string_view(":-_.\\@").find(c) != absl::string_view::npos;
  });
  const auto suffix =
      std::ranges::find_if(kUnitSuffixes, [unit](absl::string_view s) {
        return unit.size() > s.size() && absl::EndsWith(unit, s);
      });
  if (!is_plain || suffix == std::end(kUnitSuffixes)) {
    return absl::StrCat(Quoted(unit),
                        " is no name of a unit: letters, digits and any of "
                        ":-_.\\@, ending in .service, .scope, .slice, .socket, "
                        ".mount or .swap");
  }
  if (IsSlice(unit) && !IsWellNested(unit)) {
    return absl::StrCat(Quoted(unit),
                        " is no name of a slice below the root: a '-' is "
                        "between two names");
  }
  if (absl::EndsWith(unit.substr(0, unit.size() - suffix->size()), "@")) {
    return absl::StrCat(Quoted(unit),
                        " is a template: name an instance, or select its "
                        "cgroups");
  }
  return "";
}

std::string ProblemOfCgroup(absl::string_view cgroup) {
  std::string problem = ProblemOfLength(cgroup, kMaxCgroupBytes);
  if (!problem.empty()) return problem;
  const std::vector<absl::string_view> names = absl::StrSplit(cgroup, '/');
  const bool is_path =
      !HasControl(cgroup) &&
      std::ranges::none_of(names, [](absl::string_view name) {
        return name.empty() || name == "." || name == ".." || name == "**";
      });
  if (!is_path) {
    return absl::StrCat(Quoted(cgroup),
                        " is no path below the root of the cgroups: as in "
                        "'machine.slice/*.scope', without '/' at the ends, "
                        "'.', '..', '**' and control characters");
  }
  if (names.size() > kMaxCgroupDepth) {
    return absl::StrCat(Quoted(cgroup), " is ", names.size(),
                        " levels deep, more than ", kMaxCgroupDepth);
  }
  return "";
}

}  // namespace

Selector UidSelector(int64_t uid) {
  return {.kind = Selector::Kind::kUid, .uid = uid, .text = ""};
}
Selector LoginSelector(std::string login) {
  return {.kind = Selector::Kind::kLogin, .text = std::move(login)};
}
Selector UnitSelector(std::string unit) {
  return {.kind = Selector::Kind::kUnit, .text = std::move(unit)};
}
Selector CgroupSelector(std::string cgroup) {
  return {.kind = Selector::Kind::kCgroup, .text = std::move(cgroup)};
}

Selector UnixGroupSelector(std::string unix_group) {
  return {.kind = Selector::Kind::kUnixGroup, .text = std::move(unix_group)};
}

std::vector<Selector> UidSelectors(const std::vector<int64_t>& uids) {
  std::vector<Selector> selectors;
  for (const int64_t uid : uids) selectors.push_back(UidSelector(uid));
  return selectors;
}

const char* KindName(Selector::Kind kind) {
  switch (kind) {
    case Selector::Kind::kUid:
      return "uid";
    case Selector::Kind::kLogin:
      return "login";
    case Selector::Kind::kUnit:
      return "unit";
    case Selector::Kind::kCgroup:
      return "cgroup";
    case Selector::Kind::kUnixGroup:
      break;
  }
  return "unix_group";
}

std::string KindWords(Selector::Kind kind) {
  return absl::StrReplaceAll(KindName(kind), {{"_", " "}});
}

std::string TextOf(const Selector& selector) {
  return selector.kind == Selector::Kind::kUid ? absl::StrCat(selector.uid)
                                               : selector.text;
}

std::string ProblemOf(const Selector& selector) {
  switch (selector.kind) {
    case Selector::Kind::kUid:
      if (selector.uid >= 0 && selector.uid <= kMaxUid) return "";
      return absl::StrCat(selector.uid, " is not in 0..", kMaxUid);
    case Selector::Kind::kLogin:
      return ProblemOfName(selector.text, KindWords(selector.kind));
    case Selector::Kind::kUnit:
      return ProblemOfUnit(selector.text);
    case Selector::Kind::kCgroup:
      return ProblemOfCgroup(selector.text);
    case Selector::Kind::kUnixGroup:
      break;
  }
  return ProblemOfName(selector.text, KindWords(selector.kind));
}

bool HasWildcard(const std::string& cgroup) {
  return cgroup.find_first_of("*?") != std::string::npos;
}

}  // namespace fairsched::core
