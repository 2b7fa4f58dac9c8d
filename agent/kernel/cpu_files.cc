// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cpu_files.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/cpu_weight.h"
#include "agent/kernel/optional_file.h"

namespace fairsched::kernel {
namespace {

std::string PathOf(const std::string& directory, absl::string_view name) {
  return absl::StrCat(directory, "/", name);
}

// Empty: not among them.
absl::string_view TextOf(const CpuTexts& texts, absl::string_view name) {
  const auto found =
      std::find_if(texts.begin(), texts.end(),
                   [name](const auto& text) { return text.first == name; });
  return found == texts.end() ? absl::string_view() : found->second;
}

}  // namespace

absl::string_view NameOf(CpuFile file, Backend backend) {
  const bool legacy = backend == Backend::kLegacy;
  switch (file) {
    case CpuFile::kWeight:
      return legacy ? "cpu.shares" : "cpu.weight";
    case CpuFile::kIdle:
      return "cpu.idle";
    case CpuFile::kMax:
      return legacy ? "cpu.cfs_quota_us" : "cpu.max";
    case CpuFile::kPeriod:
      return legacy ? "cpu.cfs_period_us" : "";
    case CpuFile::kBurst:
      return legacy ? "cpu.cfs_burst_us" : "cpu.max.burst";
  }
  return "";
}

absl::Status CpuFiles::Open() {
  if (is_open()) return absl::OkStatus();
  for (const CpuFile file : kAllCpuFiles) {
    const absl::string_view name = NameOf(file, backend_);
    if (name.empty()) continue;
    ASSIGN_OR_RETURN(files_[Index(file)],
                     OpenIfThere(fs_, PathOf(directory_, name)));
  }
  if (is_open()) return absl::OkStatus();
  Close();
  return absl::NotFoundError(absl::StrCat(
      "open ", PathOf(directory_, NameOf(CpuFile::kWeight, backend_))));
}

void CpuFiles::Close() {
  for (std::unique_ptr<File>& file : files_) file.reset();
}

absl::StatusOr<std::string> CpuFiles::Read(CpuFile file) {
  ++reads_;
  ASSIGN_OR_RETURN(std::string text, files_[Index(file)]->Read());
  absl::StripTrailingAsciiWhitespace(&text);
  return text;
}

absl::Status CpuFiles::Write(CpuFile file, absl::string_view text) {
  return files_[Index(file)]->Write(text);
}

absl::StatusOr<CpuTexts> CpuFiles::ReadTexts() {
  RETURN_IF_ERROR(Open());
  CpuTexts texts;
  for (const CpuFile file : kAllCpuFiles) {
    if (!Has(file)) continue;
    ASSIGN_OR_RETURN(std::string text, Read(file));
    texts.emplace_back(NameOf(file, backend_), std::move(text));
  }
  return texts;
}

absl::Status CpuFiles::WriteTexts(const CpuTexts& texts, WroteText wrote) {
  RETURN_IF_ERROR(Open());
  absl::Status status;
  const auto text_of = [&](CpuFile file) {
    return TextOf(texts, NameOf(file, backend_));
  };
  const auto write = [&](CpuFile file, absl::string_view text) {
    if (Has(file) && !text.empty()) status.Update(Restore(file, text, wrote));
  };
  // What stands in the way of the next: a burst above the quota to come, and
  // on v1 a ratio of quota and period that the parent has no room for.
  if (Differs(CpuFile::kMax, text_of(CpuFile::kMax)))
    write(CpuFile::kBurst, "0");
  if (Differs(CpuFile::kPeriod, text_of(CpuFile::kPeriod)))
    write(CpuFile::kMax, "-1");
  for (const CpuFile file : {CpuFile::kPeriod, CpuFile::kMax, CpuFile::kBurst})
    write(file, text_of(file));
  // An idle group takes no weight, and one that leaves idle has the default.
  write(CpuFile::kIdle, text_of(CpuFile::kIdle));
  if (text_of(CpuFile::kIdle) != FormatCpuIdle(true))
    write(CpuFile::kWeight, text_of(CpuFile::kWeight));
  return status;
}

bool CpuFiles::Differs(CpuFile file, absl::string_view text) {
  if (!Has(file) || text.empty()) return false;
  const absl::StatusOr<std::string> now = Read(file);
  return now.ok() && *now != text;
}

absl::Status CpuFiles::Restore(CpuFile file, absl::string_view text,
                               WroteText wrote) {
  ASSIGN_OR_RETURN(const std::string now, Read(file));
  if (now == text) return absl::OkStatus();
  const absl::Status status = Write(file, text);
  wrote(file, status);
  return status;
}

}  // namespace fairsched::kernel
