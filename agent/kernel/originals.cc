// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/originals.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/tree_layout.h"

namespace fairsched::kernel {
namespace {

// What failed is tried again as often.
constexpr absl::Duration kRetry = absl::Seconds(1);

}  // namespace

absl::StatusOr<CpuTexts> Originals::Of(uint64_t inode,
                                       const std::string& path) {
  bool is_new = false;
  {
    runtime::MutexLock lock(mutex_);
    Entry& entry = entries_[inode];
    if (entry.journalled) return *entry.texts;
    if (!entry.problem.ok()) return entry.problem;
    entry.path = path;
    is_new = to_record_.insert(inode).second;
  }
  if (is_new) worker_.Wake();
  return absl::UnavailableError(
      absl::StrCat("the values of ", path, " are not journalled yet"));
}

void Originals::Update(uint64_t inode, CpuTexts texts) {
  runtime::MutexLock lock(mutex_);
  const auto entry = entries_.find(inode);
  if (entry == entries_.end() || entry->second.texts == texts) return;
  // The older ones are in the file meanwhile: it may be written to.
  entry->second.texts = std::move(texts);
  to_record_.insert(inode);
}

void Originals::Forget(uint64_t inode) {
  runtime::MutexLock lock(mutex_);
  const auto entry = entries_.find(inode);
  if (entry == entries_.end()) return;
  to_record_.erase(inode);
  to_forget_.emplace(entry->second.path, inode);
  entries_.erase(entry);
}

void Originals::Work() {
  std::set<std::pair<std::string, uint64_t>> forget;
  absl::flat_hash_map<uint64_t, Entry> record;
  {
    runtime::MutexLock lock(mutex_);
    forget = std::exchange(to_forget_, {});
    for (const uint64_t inode : to_record_) record[inode] = entries_[inode];
    to_record_.clear();
  }
  absl::Status status;
  if (!journal_.has_value()) status = Begin();
  if (journal_.has_value()) {
    for (const auto& [path, inode] : forget)
      journal_->ForgetValues(path, inode);
    if (status.ok()) {
      for (auto& [inode, entry] : record) entry.problem = Record(inode, entry);
    }
    // What was given back must not be given back again.
    status.Update(forget.empty() ? journal_->Flush() : journal_->Rewrite());
  }
  runtime::MutexLock lock(mutex_);
  for (auto& [inode, entry] : record) {
    const auto known = entries_.find(inode);
    if (known == entries_.end()) continue;  // forgotten meanwhile
    entry.problem.Update(status);
    known->second.problem = entry.problem;
    if (!entry.problem.ok()) {
      // Gone: whoever asked will find out. Anything else is tried again.
      to_record_.insert(inode);
      continue;
    }
    known->second.journalled = true;
    if (!known->second.texts.has_value()) known->second.texts = entry.texts;
  }
}

absl::Status Originals::Begin() {
  ASSIGN_OR_RETURN(const std::string boot_id, ReadBootId(fs_, proc_root_));
  ASSIGN_OR_RETURN(std::optional<JournalEntries> left,
                   LoadJournal(file_, boot_id));
  if (left.has_value() && left->mounts.front() != hierarchies_.cpu) {
    return absl::FailedPreconditionError(
        absl::StrCat("journal ", file_.name(), " is of another mount, ",
                     left->mounts.front(), ": release that first"));
  }
  JournalEntries entries =
      std::move(left).value_or(JournalEntries{.boot_id = boot_id,
                                              .root = TreeLayout::RootBelow(""),
                                              .mounts = {hierarchies_.cpu}});
  ASSIGN_OR_RETURN(journal_, Journal::Begin(file_, std::move(entries)));
  return absl::OkStatus();
}

absl::Status Originals::Record(uint64_t inode, Entry& entry) {
  const auto& known = journal_->entries().values;
  const auto left = known.find(entry.path);
  if (!entry.texts.has_value() && left != known.end() &&
      left->second.inode == inode) {
    entry.texts = left->second.texts;
  } else if (!entry.texts.has_value()) {
    ASSIGN_OR_RETURN(entry.texts, ReadTexts(inode, entry.path));
  }
  journal_->RecordValues(entry.path, {.inode = inode, .texts = *entry.texts});
  return absl::OkStatus();
}

absl::StatusOr<CpuTexts> Originals::ReadTexts(uint64_t inode,
                                              const std::string& path) {
  const std::string directory = absl::StrCat(hierarchies_.cpu, path);
  CpuFiles files(fs_, directory, hierarchies_.backend);
  ASSIGN_OR_RETURN(CpuTexts texts, files.ReadTexts());
  // After the files were opened: they may be of one made anew.
  ASSIGN_OR_RETURN(const uint64_t now, fs_.Inode(directory));
  if (now == inode) return texts;
  return absl::NotFoundError(
      absl::StrCat("read ", directory, ": it was made anew"));
}

void Originals::Start() {
  worker_.Start(absl::ZeroDuration(), [this] {
    Work();
    return kRetry;
  });
}

void Originals::Stop() {
  worker_.Stop();
  Work();
}

}  // namespace fairsched::kernel
