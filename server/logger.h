// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_LOGGER_H_
#define FAIRSCHED_SERVER_LOGGER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "agent/runtime/clock.h"
#include "agent/runtime/mutex.h"

namespace fairsched::server {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

// "debug", "info", "warning" or "error"; nullopt for anything else.
std::optional<LogLevel> ParseLogLevel(absl::string_view name);

// Writes lines for people and the journal. Thread-safe.
class Logger {
 public:
  // Gets each line, with its newline, one at a time.
  using Sink = std::function<void(absl::string_view line)>;

  struct Options {
    LogLevel lowest = LogLevel::kInfo;
    // Lines begin with the priority as the journal reads it, "<4>", instead of
    // with the level's name.
    bool for_journal = false;
  };
  Logger(const runtime::Clock& clock, Options options, Sink sink);

  // One line; control characters in `text` come out as "\xNN".
  void Log(LogLevel level, absl::string_view text) ABSL_LOCKS_EXCLUDED(mutex_);

  // For what may come often: of one `key`, which says where it comes from, the
  // first is written, then one every kQuietTime, which says how many there
  // were between.
  void LogSometimes(LogLevel level, absl::string_view key,
                    absl::string_view text) ABSL_LOCKS_EXCLUDED(mutex_);
  // Says of each key how often it came since it was last written, if it did
  // and that is kQuietTime ago. To be called now and then.
  void Summarize() ABSL_LOCKS_EXCLUDED(mutex_);
  // The same at once, for the end.
  void Flush() ABSL_LOCKS_EXCLUDED(mutex_);

  static constexpr absl::Duration kQuietTime = absl::Seconds(60);
  // So many keys are told apart; the rest have one in common.
  static constexpr size_t kMaxKeys = 256;

 private:
  struct Key {
    LogLevel level = LogLevel::kInfo;
    absl::Duration written;  // when last
    int64_t since = 0;       // that came and were not written
    std::string text;        // of the last of them
  };
  void SummarizeOlderThan(absl::Duration age) ABSL_LOCKS_EXCLUDED(mutex_);
  void Write(LogLevel level, absl::string_view text)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const runtime::Clock& clock_;
  const Options options_;
  const Sink sink_;

  runtime::Mutex mutex_;
  std::map<std::string, Key> keys_ ABSL_GUARDED_BY(mutex_);
};

// Writes to file descriptor 2, each line in one piece.
void WriteToStderr(absl::string_view line);
// Whether that is the journal: JOURNAL_STREAM names it.
bool StderrIsJournal();

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_LOGGER_H_
