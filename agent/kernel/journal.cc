// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/journal.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"

namespace fairsched::kernel {
namespace {

// A rewrite costs as much as writing all live entries: at this growth it at
// most adds a third to what is written anyway.
constexpr size_t kGrowthToRewrite = 4;
// So short a file is not worth rewriting.
constexpr size_t kLinesToRewrite = 256;

}  // namespace

absl::StatusOr<Journal> Journal::Begin(JournalFile& file,
                                       JournalEntries entries) {
  Journal journal(file, std::move(entries));
  RETURN_IF_ERROR(journal.Rewrite());
  return journal;
}

void Journal::RecordDirectory(const std::string& path) {
  if (entries_.directories.insert(path).second) Add(DirectoryLine(path));
}

void Journal::RecordEnabled(const std::string& path) {
  if (entries_.enabled.insert(path).second) Add(EnabledLine(path));
}

void Journal::RecordProcess(int64_t pid, const MovedProcess& process) {
  if (entries_.first_origins.emplace(process.uid, process.origin).second)
    Add(FirstOriginLine(process.uid, process.origin));
  const auto known = entries_.processes.find(pid);
  if (known != entries_.processes.end() && known->second == process) return;
  entries_.processes.insert_or_assign(pid, process);
  Add(ProcessLine(pid, process));
}

void Journal::RecordValues(const std::string& path,
                           const OriginalValues& values) {
  const auto known = entries_.values.find(path);
  if (known != entries_.values.end() && known->second == values) return;
  entries_.values.insert_or_assign(path, values);
  Add(ValuesLine(path, values));
}

void Journal::ForgetDirectory(const std::string& path) {
  entries_.directories.erase(path);
}

void Journal::ForgetEnabled(const std::string& path) {
  entries_.enabled.erase(path);
}

void Journal::ForgetValues(const std::string& path, uint64_t inode) {
  const auto known = entries_.values.find(path);
  if (known != entries_.values.end() && known->second.inode == inode)
    entries_.values.erase(known);
}

void Journal::ForgetFirstOrigin(int64_t uid) {
  entries_.first_origins.erase(uid);
}

void Journal::ForgetDead(const absl::flat_hash_set<int64_t>& alive) {
  absl::erase_if(entries_.processes, [&alive](const auto& process) {
    return !alive.contains(process.first);
  });
}

absl::Status Journal::Flush() {
  const size_t lines = file_lines_ + pending_lines_;
  const bool grown =
      lines > kLinesToRewrite && lines > kGrowthToRewrite * entries_.Lines();
  if (torn_ || grown) return Rewrite();
  if (pending_.empty()) return absl::OkStatus();
  const absl::Status status = file_->Append(pending_);
  torn_ = !status.ok();
  RETURN_IF_ERROR(status);
  file_lines_ = lines;
  pending_.clear();
  pending_lines_ = 0;
  return absl::OkStatus();
}

absl::Status Journal::Remove() { return file_->Remove(); }

void Journal::Add(const std::string& line) {
  pending_ += line;
  ++pending_lines_;
}

absl::Status Journal::Rewrite() {
  RETURN_IF_ERROR(file_->Replace(FormatJournal(entries_)));
  torn_ = false;
  file_lines_ = entries_.Lines();
  pending_.clear();
  pending_lines_ = 0;
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadBootId(FileSystem& fs,
                                       absl::string_view proc_root) {
  ASSIGN_OR_RETURN(
      const std::string text,
      fs.Read(absl::StrCat(proc_root, "/sys/kernel/random/boot_id")));
  const absl::string_view id = absl::StripAsciiWhitespace(text);
  const bool is_id =
      !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
        return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-';
      });
  if (is_id) return std::string(id);
  return absl::InvalidArgumentError(
      absl::StrCat("boot id is '", absl::CHexEscape(text), "'"));
}

absl::StatusOr<std::optional<JournalEntries>> LoadJournal(
    JournalFile& file, absl::string_view boot_id) {
  const absl::StatusOr<std::string> text = file.Read();
  if (absl::IsNotFound(text.status())) return std::optional<JournalEntries>();
  RETURN_IF_ERROR(text.status());
  ASSIGN_OR_RETURN(JournalEntries entries, ParseJournal(file.name(), *text));
  if (entries.boot_id != boot_id) return std::optional<JournalEntries>();
  return std::optional<JournalEntries>(std::move(entries));
}

}  // namespace fairsched::kernel
