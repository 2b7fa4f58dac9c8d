// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/restore.h"

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/cpu_files.h"
#include "agent/kernel/unit_path.h"

namespace fairsched::kernel {
namespace {

void IgnoreWrite(CpuFile, const absl::Status&) {}

// By files that are kept open, so that they are of one cgroup. NotFound: it is
// gone, or has no values.
absl::Status Restore(FileSystem& fs, Backend backend,
                     const std::string& directory,
                     const OriginalValues& values) {
  CpuFiles files(fs, directory, backend);
  RETURN_IF_ERROR(files.Open());
  ASSIGN_OR_RETURN(const uint64_t inode, fs.Inode(directory));
  if (inode != values.inode) {
    return absl::NotFoundError(
        absl::StrCat("restore ", directory, ": it was made anew"));
  }
  return files.WriteTexts(values.texts, IgnoreWrite);
}

void Count(const std::string& path, const absl::Status& status,
           RestoreReport& report) {
  if (status.ok()) {
    ++report.restored;
  } else if (absl::IsNotFound(status)) {
    ++report.gone;
  } else {
    report.failed.push_back(path);
    report.first_error.Update(status);
  }
}

}  // namespace

RestoreReport RestoreValues(FileSystem& fs, Backend backend,
                            const JournalEntries& entries) {
  RestoreReport report;
  for (const auto& [path, values] : entries.values) {
    Count(path, Restore(fs, backend, entries.mounts.front() + path, values),
          report);
  }
  return report;
}

RestoreReport ZeroBursts(FileSystem& fs, const std::string& mount) {
  RestoreReport report;
  const absl::StatusOr<std::vector<std::string>> names =
      fs.ListDirectories(absl::StrCat(mount, kUserSlice));
  if (!names.ok()) return report;
  for (const std::string& name : *names) {
    if (!UidOfUserSlice(name).has_value()) continue;
    const std::string path = absl::StrCat(kUserSlice, "/", name);
    CpuFiles files(fs, mount + path, Backend::kUnified);
    absl::Status status = files.Open();
    if (status.ok()) {
      const std::string burst(NameOf(CpuFile::kBurst, Backend::kUnified));
      status = files.WriteTexts({{burst, "0"}}, IgnoreWrite);
    }
    Count(path, status, report);
  }
  return report;
}

}  // namespace fairsched::kernel
