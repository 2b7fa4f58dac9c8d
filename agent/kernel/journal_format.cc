// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/journal_format.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace fairsched::kernel {
namespace {

std::string Escaped(absl::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c > ' ' && c <= '~' && c != '\\') {
      escaped += c;
    } else {
      absl::StrAppend(&escaped, "\\x",
                      absl::BytesToHexString(absl::string_view(&c, 1)));
    }
  }
  return escaped;
}

std::string EscapedPaths(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths)
    absl::StrAppend(&text, " ", Escaped(path));
  return text;
}

}  // namespace

size_t JournalEntries::Lines() const {
  constexpr size_t kHeader = 2;
  return kHeader + directories.size() + enabled.size() + first_origins.size() +
         processes.size() + values.size();
}

std::string DirectoryLine(absl::string_view path) {
  return absl::StrCat("dir ", Escaped(path), "\n");
}

std::string EnabledLine(absl::string_view path) {
  return absl::StrCat("enabled ", Escaped(path), "\n");
}

std::string FirstOriginLine(int64_t uid, const Origin& origin) {
  return absl::StrCat("uid ", uid, EscapedPaths(origin), "\n");
}

std::string ProcessLine(int64_t pid, const MovedProcess& process) {
  return absl::StrCat("process ", pid, " ", process.start_ticks, " ",
                      process.uid, EscapedPaths(process.origin), "\n");
}

std::string ValuesLine(absl::string_view path, const OriginalValues& values) {
  std::string line = absl::StrCat("values ", Escaped(path), " ", values.inode);
  for (const auto& [file, text] : values.texts)
    absl::StrAppend(&line, " ", file, "=", Escaped(text));
  return line + "\n";
}

std::string FormatJournal(const JournalEntries& entries) {
  std::string text =
      absl::StrCat("fairsched-journal 1 ", entries.boot_id, "\ntree ",
                   Escaped(entries.root), EscapedPaths(entries.mounts), "\n");
  for (const std::string& path : entries.directories)
    text += DirectoryLine(path);
  for (const std::string& path : entries.enabled) text += EnabledLine(path);
  for (const auto& [uid, origin] : entries.first_origins)
    text += FirstOriginLine(uid, origin);
  for (const auto& [pid, process] : entries.processes)
    text += ProcessLine(pid, process);
  for (const auto& [path, values] : entries.values)
    text += ValuesLine(path, values);
  return text;
}

}  // namespace fairsched::kernel
