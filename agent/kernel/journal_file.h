// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_JOURNAL_FILE_H_
#define FAIRSCHED_AGENT_KERNEL_JOURNAL_FILE_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// The file that a journal is kept in. Errors have the codes of FileSystem. Not
// thread-safe.
class JournalFile {
 public:
  virtual ~JournalFile() = default;
  // For messages.
  virtual std::string name() const = 0;
  // The contents. NotFound: there is none. FailedPrecondition: somebody else
  // could have written it.
  virtual absl::StatusOr<std::string> Read() = 0;
  // `data` at the end, in one write(). After an error some of it may be there.
  virtual absl::Status Append(absl::string_view data) = 0;
  // `data` instead of what was there, at once; also the way to begin one.
  virtual absl::Status Replace(absl::string_view data) = 0;
  // OK if there is none.
  virtual absl::Status Remove() = 0;
};

// A plain file of mode 0600, in a directory that is made with mode 0700 if it
// is not there. It must outlive the process, not the machine: nothing is
// synced, and a tmpfs is the place for it.
class DiskJournalFile final : public JournalFile {
 public:
  explicit DiskJournalFile(std::string path) : path_(std::move(path)) {}

  std::string name() const override { return path_; }
  absl::StatusOr<std::string> Read() override;
  absl::Status Append(absl::string_view data) override;
  absl::Status Replace(absl::string_view data) override;
  absl::Status Remove() override;

 private:
  const std::string path_;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_JOURNAL_FILE_H_
