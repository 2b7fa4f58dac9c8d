// SPDX-License-Identifier: Apache-2.0
#include "server/logger.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/text.h"

namespace fairsched::server {
namespace {

using runtime::MutexLock;

// Longer lines are cut: the journal cuts them, too, and less visibly.
constexpr size_t kMaxLineBytes = 2048;

absl::string_view Name(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      break;
  }
  return "error";
}

// As in syslog(3).
absl::string_view Priority(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "<7>";
    case LogLevel::kInfo:
      return "<6>";
    case LogLevel::kWarning:
      return "<4>";
    case LogLevel::kError:
      break;
  }
  return "<3>";
}

std::string Repeated(absl::string_view text, int64_t times) {
  if (times == 0) return std::string(text);
  return absl::StrCat(text, " (repeated ", times,
                      times == 1 ? " time)" : " times)");
}

}  // namespace

std::optional<LogLevel> ParseLogLevel(absl::string_view name) {
  for (const LogLevel level : {LogLevel::kDebug, LogLevel::kInfo,
                               LogLevel::kWarning, LogLevel::kError}) {
    if (name == Name(level)) return level;
  }
  return std::nullopt;
}

Logger::Logger(const runtime::Clock& clock, Options options, Sink sink)
    : clock_(clock), options_(options), sink_(std::move(sink)) {}

void Logger::Log(LogLevel level, absl::string_view text) {
  MutexLock lock(mutex_);
  Write(level, text);
}

void Logger::LogSometimes(LogLevel level, absl::string_view key,
                          absl::string_view text) {
  if (level < options_.lowest) return;
  const absl::Duration now = clock_.Now();
  MutexLock lock(mutex_);
  auto it = keys_.find(std::string(key));
  if (it == keys_.end() && keys_.size() >= kMaxKeys) it = keys_.find("");
  if (it == keys_.end()) {
    const std::string name(keys_.size() >= kMaxKeys ? "" : key);
    keys_[name] = {.level = level, .written = now};
    Write(level, text);
    return;
  }
  Key& known = it->second;
  if (now - known.written < kQuietTime) {
    ++known.since;
    known.level = level;
    known.text = std::string(text);
    return;
  }
  Write(level, Repeated(text, known.since));
  known.since = 0;
  known.written = now;
}

void Logger::Summarize() { SummarizeOlderThan(kQuietTime); }

void Logger::Flush() { SummarizeOlderThan(absl::ZeroDuration()); }

void Logger::SummarizeOlderThan(absl::Duration age) {
  const absl::Duration now = clock_.Now();
  MutexLock lock(mutex_);
  for (auto& [name, key] : keys_) {
    if (key.since == 0 || now - key.written < age) continue;
    Write(key.level, Repeated(key.text, key.since));
    key.since = 0;
    key.written = now;
  }
}

void Logger::Write(LogLevel level, absl::string_view text) {
  if (level < options_.lowest) return;
  const std::string prefix = options_.for_journal
                                 ? std::string(Priority(level))
                                 : absl::StrCat(Name(level), ": ");
  sink_(absl::StrCat(prefix, Printable(text, kMaxLineBytes), "\n"));
}

void WriteToStderr(absl::string_view line) {
  while (!line.empty()) {
    const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
    // There is nobody to tell that nothing can be told.
    if (written < 0 && errno != EINTR) return;
    if (written > 0) line.remove_prefix(static_cast<size_t>(written));
  }
}

bool StderrIsJournal() {
  const char* stream = std::getenv("JOURNAL_STREAM");
  struct stat file = {};
  if (stream == nullptr || fstat(STDERR_FILENO, &file) != 0) return false;
  return absl::StrCat(file.st_dev, ":", file.st_ino) == stream;
}

}  // namespace fairsched::server
