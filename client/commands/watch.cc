// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "agent/core/status_macros.h"
#include "client/commands/commands.h"
#include "client/interrupt.h"
#include "client/json.h"
#include "client/options.h"
#include "client/time.h"
#include "client/units.h"
#include "client/watch_lines.h"

namespace fairsched::client {
namespace {

struct WatchOptions {
  bool windows = false;
  std::optional<absl::Duration> interval;
};

absl::StatusOr<absl::Duration> ParseInterval(absl::string_view text) {
  return ParseDuration(text);
}

v1::WatchUsageRequest RequestFor(const WatchOptions& options) {
  v1::WatchUsageRequest request;
  request.set_windows(options.windows);
  if (options.interval.has_value()) {
    *request.mutable_interval() = ToProto(*options.interval);
  }
  return request;
}

absl::Status Show(Session& session, const WatchOptions& options,
                  const v1::WatchUsageResponse& response) {
  if (response.missed_count() > 0) {
    session.Warn(absl::StrCat(response.missed_count(),
                              " snapshots were missed: too slow for them"));
  }
  if (session.json()) {
    ASSIGN_OR_RETURN(const std::string line, ToJson(response, JsonForm::kLine));
    session.Print(absl::StrCat(line, "\n"));
  } else if (options.windows) {
    session.Print(WindowLines(response));
  } else {
    session.Print(SnapshotLines(response, session.environment().zone));
  }
  return session.Flush();
}

absl::StatusOr<ExitCode> Watch(Session& session, const WatchOptions& options) {
  session.OpenInterrupt();
  Connection& connection = session.connection();
  grpc::ClientContext context;
  const CancelOnInterrupt cancel(session.interrupt_fd(), context);
  const auto reader =
      connection.usage().WatchUsage(&context, RequestFor(options));
  bool titled = session.json() || !session.table_style().headers;
  absl::Status shown;
  v1::WatchUsageResponse response;
  while (shown.ok() && reader->Read(&response)) {
    if (!std::exchange(titled, true)) {
      session.Print(options.windows ? WindowTitles() : SnapshotTitles());
    }
    shown = Show(session, options, response);
  }
  if (!shown.ok()) context.TryCancel();
  const grpc::Status status = reader->Finish();
  RETURN_IF_ERROR(shown);
  // The person ended it, or the daemon did on its way down.
  if (status.error_code() == grpc::StatusCode::CANCELLED) {
    return ExitCode::kDone;
  }
  RETURN_IF_ERROR(RpcError(status, connection.address()));
  return ExitCode::kDone;
}

}  // namespace

void AddWatchCommand(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<WatchOptions>();
  CLI::App* watch = app.add_subcommand(
      "watch", "Print one line a user for every snapshot; Ctrl-C ends it");
  watch->add_flag("--windows", options->windows,
                  "One line a user for every control window that ended");
  AddParsedOption(*watch, "--interval", options->interval, ParseInterval,
                  "Time between snapshots, 100ms..1m (default 1s)");
  watch->callback([options, &chosen] {
    chosen = [options](Session& session) { return Watch(session, *options); };
  });
}

}  // namespace fairsched::client
