// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/journal_format.h"

namespace fairsched::kernel {
namespace {

constexpr absl::string_view kMagic = "fairsched-journal";
constexpr absl::string_view kVersion = "1";
constexpr int64_t kMaxPid = 1 << 22;  // PID_MAX_LIMIT
constexpr int64_t kMaxUid = std::numeric_limits<uint32_t>::max() - 1;
constexpr size_t kMaxMounts = 3;
constexpr size_t kMaxCpuTextBytes = 64;  // two numbers of 20 digits, and some

using Fields = std::vector<absl::string_view>;

absl::Status Bad(absl::string_view what) {
  return absl::FailedPreconditionError(what);
}

bool IsHexDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

// The inverse of Escaped(), and of nothing else.
absl::StatusOr<std::string> Unescaped(absl::string_view text) {
  std::string plain;
  while (!text.empty()) {
    if (text.front() != '\\') {
      if (text.front() <= ' ' || text.front() > '~')
        return Bad("a byte that should be escaped");
      plain += text.front();
      text.remove_prefix(1);
      continue;
    }
    if (text.size() < 4 || text[1] != 'x' || !IsHexDigit(text[2]) ||
        !IsHexDigit(text[3])) {
      return Bad("an escape that is not \\xHH");
    }
    plain += absl::HexStringToBytes(text.substr(2, 2));
    text.remove_prefix(4);
  }
  return plain;
}

// We write to what these name: nothing that could lead elsewhere.
absl::StatusOr<std::string> Path(absl::string_view field) {
  ASSIGN_OR_RETURN(std::string path, Unescaped(field));
  const bool climbs = absl::StrContains(absl::StrCat(path, "/"), "/../");
  if (!absl::StartsWith(path, "/") || climbs || absl::StrContains(path, '\0') ||
      absl::StrContains(path, '\n')) {
    return Bad(absl::StrCat("'", field, "' is no absolute path"));
  }
  return path;
}

absl::StatusOr<std::vector<std::string>> Paths(const Fields& fields,
                                               size_t first) {
  std::vector<std::string> paths;
  for (size_t i = first; i < fields.size(); ++i) {
    ASSIGN_OR_RETURN(std::string path, Path(fields[i]));
    paths.push_back(std::move(path));
  }
  return paths;
}

absl::StatusOr<int64_t> Number(const Fields& fields, size_t i, int64_t min,
                               int64_t max) {
  int64_t number = 0;
  if (i >= fields.size() || !absl::SimpleAtoi(fields[i], &number) ||
      number < min || number > max) {
    return Bad(absl::StrCat("field ", i + 1, " is no number in [", min, ", ",
                            max, "]"));
  }
  return number;
}

absl::StatusOr<Origin> OriginFrom(const Fields& fields, size_t first,
                                  const JournalEntries& entries) {
  ASSIGN_OR_RETURN(Origin origin, Paths(fields, first));
  if (origin.size() != entries.mounts.size()) {
    return Bad(absl::StrCat(origin.size(), " cgroups for ",
                            entries.mounts.size(), " mounts"));
  }
  return origin;
}

absl::Status ParseMagic(const Fields& fields, JournalEntries& entries) {
  if (fields.size() != 3 || fields[0] != kMagic)
    return Bad("this is no journal of fairsched");
  if (fields[1] != kVersion) {
    return Bad(absl::StrCat("version ", absl::CHexEscape(fields[1]),
                            ": only version ", kVersion, " is known"));
  }
  ASSIGN_OR_RETURN(entries.boot_id, Unescaped(fields[2]));
  return entries.boot_id.empty() ? Bad("no boot id") : absl::OkStatus();
}

absl::Status ParseTree(const Fields& fields, JournalEntries& entries) {
  if (fields.size() < 3 || fields.size() > 2 + kMaxMounts ||
      fields[0] != "tree") {
    return Bad("not 'tree ROOT MOUNT...'");
  }
  ASSIGN_OR_RETURN(entries.root, Path(fields[1]));
  ASSIGN_OR_RETURN(entries.mounts, Paths(fields, 2));
  if (entries.root == "/") return Bad("our tree can't be the root");
  return absl::OkStatus();
}

// Only what lies in our tree was ever made by us.
absl::Status ParseDirectory(const Fields& fields, JournalEntries& entries) {
  if (fields.size() != 2) return Bad("not 'dir PATH'");
  ASSIGN_OR_RETURN(std::string path, Path(fields[1]));
  const bool ours =
      std::any_of(entries.mounts.begin(), entries.mounts.end(),
                  [&](const std::string& mount) {
                    return path == mount + entries.root ||
                           absl::StartsWith(path, mount + entries.root + "/");
                  });
  if (!ours) return Bad(absl::StrCat("'", fields[1], "' is not in our tree"));
  entries.directories.insert(std::move(path));
  return absl::OkStatus();
}

absl::Status ParseEnabled(const Fields& fields, JournalEntries& entries) {
  if (fields.size() != 2) return Bad("not 'enabled PATH'");
  ASSIGN_OR_RETURN(std::string path, Path(fields[1]));
  entries.enabled.insert(std::move(path));
  return absl::OkStatus();
}

absl::Status ParseUid(const Fields& fields, JournalEntries& entries) {
  ASSIGN_OR_RETURN(const int64_t uid, Number(fields, 1, 0, kMaxUid));
  ASSIGN_OR_RETURN(entries.first_origins[uid], OriginFrom(fields, 2, entries));
  return absl::OkStatus();
}

absl::Status ParseProcess(const Fields& fields, JournalEntries& entries) {
  MovedProcess process;
  ASSIGN_OR_RETURN(const int64_t pid, Number(fields, 1, 1, kMaxPid));
  ASSIGN_OR_RETURN(process.start_ticks,
                   Number(fields, 2, 0, std::numeric_limits<int64_t>::max()));
  ASSIGN_OR_RETURN(process.uid, Number(fields, 3, 0, kMaxUid));
  ASSIGN_OR_RETURN(process.origin, OriginFrom(fields, 4, entries));
  entries.processes.insert_or_assign(pid, std::move(process));
  return absl::OkStatus();
}

// Root writes these texts to these files: no others.
bool IsCpuFile(absl::string_view name) {
  for (const CpuFile file : kAllCpuFiles) {
    for (const Backend backend : {Backend::kUnified, Backend::kLegacy}) {
      if (!name.empty() && name == NameOf(file, backend)) return true;
    }
  }
  return false;
}

absl::Status ParseValues(const Fields& fields, JournalEntries& entries) {
  if (fields.size() < 4) return Bad("not 'values PATH INODE FILE=TEXT...'");
  ASSIGN_OR_RETURN(std::string path, Path(fields[1]));
  OriginalValues values;
  if (!absl::SimpleAtoi(fields[2], &values.inode))
    return Bad("field 3 is no inode number");
  for (size_t i = 3; i < fields.size(); ++i) {
    const std::pair<absl::string_view, absl::string_view> field =
        absl::StrSplit(fields[i], absl::MaxSplits('=', 1));
    ASSIGN_OR_RETURN(std::string text, Unescaped(field.second));
    if (!IsCpuFile(field.first) || text.empty() ||
        text.size() > kMaxCpuTextBytes) {
      return Bad(absl::StrCat("field ", i + 1,
                              " is no value of a file of the cpu controller"));
    }
    values.texts.emplace_back(field.first, std::move(text));
  }
  entries.values.insert_or_assign(std::move(path), std::move(values));
  return absl::OkStatus();
}

absl::Status ParseEntry(const Fields& fields, JournalEntries& entries) {
  if (fields[0] == "dir") return ParseDirectory(fields, entries);
  if (fields[0] == "enabled") return ParseEnabled(fields, entries);
  if (fields[0] == "uid") return ParseUid(fields, entries);
  if (fields[0] == "process") return ParseProcess(fields, entries);
  if (fields[0] == "values") return ParseValues(fields, entries);
  return Bad(absl::StrCat("'", absl::CHexEscape(fields[0].substr(0, 32)),
                          "' is no kind of entry"));
}

absl::Status ParseLine(absl::string_view line, int64_t number,
                       JournalEntries& entries) {
  if (line.size() > kMaxJournalLineBytes) return Bad("the line is too long");
  const Fields fields = absl::StrSplit(line, ' ');
  if (number == 1) return ParseMagic(fields, entries);
  if (number == 2) return ParseTree(fields, entries);
  return ParseEntry(fields, entries);
}

}  // namespace

absl::StatusOr<JournalEntries> ParseJournal(absl::string_view name,
                                            absl::string_view text) {
  const auto bad = [name](int64_t line, absl::string_view what) {
    return Bad(absl::StrCat("journal ", name, ":", line, ": ", what));
  };
  if (text.size() > kMaxJournalBytes) return bad(1, "the file is too long");
  JournalEntries entries;
  int64_t number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == absl::string_view::npos) break;
    const absl::Status status =
        ParseLine(text.substr(0, end), ++number, entries);
    if (!status.ok()) return bad(number, status.message());
    text.remove_prefix(end + 1);
  }
  if (number < 2) return bad(number + 1, "the file ends before its entries");
  return entries;
}

}  // namespace fairsched::kernel
