// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_MEMORY_JOURNAL_FILE_H_
#define FAIRSCHED_TESTS_SUPPORT_MEMORY_JOURNAL_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "agent/core/status_macros.h"
#include "agent/kernel/journal_file.h"

namespace fairsched::testing {

// A journal file in memory, which can be told to fail. Not thread-safe.
class MemoryJournalFile final : public kernel::JournalFile {
 public:
  // nullopt: there is no file.
  std::optional<std::string> text;
  int64_t appends = 0;
  int64_t replaces = 0;

  // The next Append() leaves half of its data and fails.
  void TearNextAppend() { tear_ = true; }
  // All writing fails with `error` from now on; OK: no more.
  void FailWrites(absl::Status error) { failure_ = std::move(error); }

  std::string name() const override { return "the-journal"; }
  absl::StatusOr<std::string> Read() override {
    if (text.has_value()) return *text;
    return absl::NotFoundError("there is no journal");
  }
  absl::Status Append(absl::string_view data) override {
    RETURN_IF_ERROR(failure_);
    if (!text.has_value()) return absl::NotFoundError("there is no journal");
    ++appends;
    if (std::exchange(tear_, false)) {
      text->append(data.data(), data.size() / 2);
      return absl::ResourceExhaustedError("the disk is full");
    }
    text->append(data.data(), data.size());
    return absl::OkStatus();
  }
  absl::Status Replace(absl::string_view data) override {
    RETURN_IF_ERROR(failure_);
    ++replaces;
    text = std::string(data);
    return absl::OkStatus();
  }
  absl::Status Remove() override {
    text.reset();
    return absl::OkStatus();
  }

 private:
  bool tear_ = false;
  absl::Status failure_;
};

}  // namespace fairsched::testing

#endif  // FAIRSCHED_TESTS_SUPPORT_MEMORY_JOURNAL_FILE_H_
