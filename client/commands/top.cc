// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "agent/core/status_macros.h"
#include "client/commands/commands.h"
#include "client/interrupt.h"
#include "client/json.h"
#include "client/keyboard.h"
#include "client/options.h"
#include "client/pages.h"
#include "client/text.h"
#include "client/time.h"
#include "client/units.h"
#include "client/usage_table.h"

namespace fairsched::client {
namespace {

constexpr char kHome[] = "\x1b[H";
constexpr char kClear[] = "\x1b[2J";
constexpr char kClearToLineEnd[] = "\x1b[K";
constexpr char kClearBelow[] = "\x1b[J";
constexpr char kHideCursor[] = "\x1b[?25l";
constexpr char kShowCursor[] = "\x1b[?25h";

struct TopOptions {
  SortKey sort = SortKey::kCpu;
  int32_t count = 0;  // frames; 0: until it is ended
  absl::Duration delay = absl::Seconds(1);
  bool batch = false;
};

std::string NodeLine(const v1::ListUserUsageResponse& usage,
                     const absl::TimeZone& zone) {
  const v1::NodeUsage& node = usage.node();
  return absl::StrCat(
      absl::FormatTime("%H:%M:%S", FromProto(usage.sample_time()), zone),
      "  CPUs ", FormatCpus(node.capacity_cpus()), ": users ",
      FormatCpus(node.managed_cpus()), ", exempt ",
      FormatCpus(node.exempt_cpus()), ", other ", FormatCpus(node.other_cpus()),
      ", idle ", FormatCpus(node.idle_cpus()), "  window ",
      node.window_number(), " ", FormatSeconds(FromProto(node.window_age())),
      "/", absl::FormatDuration(FromProto(node.window())),
      node.contended() ? "  contended" : "");
}

std::string Frame(const v1::ListUserUsageResponse& usage, SortKey sort,
                  const TableStyle& style, const absl::TimeZone& zone) {
  std::vector<v1::UserUsage> users(usage.users().begin(), usage.users().end());
  Sort(users, sort);
  std::vector<Column> columns = UserColumns();
  columns.push_back({.title = "REASON", .min_width = 10});
  Table table(std::move(columns));
  for (const v1::UserUsage& user : users) {
    std::vector<Cell> cells = UserCells(user);
    cells.push_back(ReasonCell(user));
    table.AddRow(std::move(cells));
  }
  std::string node = NodeLine(usage, zone);
  if (style.width != 0) node = Truncated(node, style.width);
  return absl::StrCat(node, "\n", table.Render(style));
}

// `frame` over the one before it, cut to the lines of the screen. Each line
// clears its own rest: a screen that is cleared first flickers.
std::string OnScreen(const std::string& frame, size_t lines) {
  std::vector<std::string> rows = absl::StrSplit(frame, '\n');
  rows.pop_back();
  if (lines != 0 && rows.size() > lines) rows.resize(lines);
  std::string screen = kHome;
  const char* line_end = "";
  for (const std::string& row : rows) {
    absl::StrAppend(&screen, line_end, row, kClearToLineEnd);
    line_end = "\r\n";
  }
  return absl::StrCat(screen, kClearBelow);
}

// The terminal between a first and a last frame.
class Screen {
 public:
  Screen(Session& session, bool on) : session_(session), on_(on) {
    if (on_) session_.Print(absl::StrCat(kHideCursor, kClear));
  }
  ~Screen() {
    if (on_) session_.Print(absl::StrCat(kShowCursor, "\n"));
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

 private:
  Session& session_;
  const bool on_;
};

absl::Status ShowFrame(Session& session, const TopOptions& options,
                       bool on_screen, bool first) {
  ASSIGN_OR_RETURN(const v1::ListUserUsageResponse usage,
                   ListAllUsage(session.connection()));
  if (session.json()) {
    ASSIGN_OR_RETURN(const std::string line, ToJson(usage, JsonForm::kLine));
    session.Print(absl::StrCat(line, "\n"));
    return session.Flush();
  }
  const std::string frame = Frame(usage, options.sort, session.table_style(),
                                  session.environment().zone);
  if (on_screen) {
    session.Print(OnScreen(frame, session.environment().terminal_size().lines));
  } else {
    session.Print(absl::StrCat(first ? "" : "\n", frame));
  }
  return session.Flush();
}

absl::StatusOr<ExitCode> Top(Session& session, const TopOptions& options) {
  session.OpenInterrupt();
  const bool on_screen =
      session.environment().is_terminal && !options.batch && !session.json();
  Keyboard keyboard(on_screen ? session.environment().input_fd : -1);
  const Screen screen(session, on_screen);
  for (int32_t shown = 0; options.count == 0 || shown < options.count;) {
    RETURN_IF_ERROR(ShowFrame(session, options, on_screen, shown == 0));
    if (++shown == options.count) break;
    const Wake wake =
        Wait(session.interrupt_fd(), keyboard.fd(), options.delay);
    if (wake == Wake::kInterrupt) break;
    if (wake == Wake::kInput && keyboard.ReadQuit()) break;
  }
  return ExitCode::kDone;
}

}  // namespace

void AddTopCommand(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<TopOptions>();
  CLI::App* top =
      app.add_subcommand("top", "Watch who gets how much; q or Ctrl-C ends it");
  AddParsedOption(*top, "--sort", options->sort, ParseSortKey,
                  "cpu (default), balance or name");
  top->add_option("-n", options->count, "End after so many tables")
      ->check(CLI::PositiveNumber);
  AddParsedOption(*top, "-d", options->delay, ParseDuration,
                  "Time between tables (default 1s)");
  top->add_flag("-b", options->batch,
                "Print one table below the other, as without a terminal");
  top->callback([options, &chosen] {
    chosen = [options](Session& session) { return Top(session, *options); };
  });
}

}  // namespace fairsched::client
