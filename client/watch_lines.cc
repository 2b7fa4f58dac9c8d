// SPDX-License-Identifier: Apache-2.0
#include "client/watch_lines.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/names.h"
#include "client/text.h"
#include "client/time.h"
#include "client/units.h"

namespace fairsched::client {
namespace {

constexpr size_t kUserWidth = 16;

std::string UserColumn(const std::string& name) {
  std::string text = Sanitized(UserId(name));
  // The width of printf counts bytes.
  const size_t width = Width(text);
  if (width < kUserWidth) text.append(kUserWidth - width, ' ');
  return text;
}

std::string Seconds(const google::protobuf::Duration& duration) {
  return FormatSeconds(FromProto(duration));
}

}  // namespace

std::string SnapshotTitles() {
  return absl::StrFormat("%-12s  %-16s  %-8s  %6s  %6s  %9s  %8s\n", "TIME",
                         "USER", "STATE", "CPU", "SHARE", "BALANCE", "HELD");
}

std::string SnapshotLines(const v1::WatchUsageResponse& response,
                          const absl::TimeZone& zone) {
  const std::string time =
      absl::FormatTime("%H:%M:%E3S", FromProto(response.sample_time()), zone);
  std::string lines;
  for (const v1::UserUsage& user : response.users()) {
    absl::StrAppendFormat(&lines, "%s  %s  %-8s  %6s  %6s  %9s  %8s\n", time,
                          UserColumn(user.user()), Word(user.state()),
                          FormatCpus(user.cpus()),
                          FormatCpus(user.entitlement_cpus()),
                          Seconds(user.balance()), Seconds(user.held()));
  }
  return lines;
}

std::string WindowTitles() {
  return absl::StrFormat("%6s  %-9s  %7s  %-16s  %8s  %8s  %9s  %9s  %8s\n",
                         "WINDOW", "END", "LENGTH", "USER", "USED", "ENTITLED",
                         "BEFORE", "AFTER", "HELD");
}

std::string WindowLines(const v1::WatchUsageResponse& response) {
  std::string lines;
  for (const v1::WindowReport& window : response.windows()) {
    for (const v1::WindowReport::UserWindow& user : window.users()) {
      absl::StrAppendFormat(
          &lines, "%6d  %-9s  %7s  %s  %8s  %8s  %9s  %9s  %8s\n",
          window.number(), Word(window.end_cause()), Seconds(window.length()),
          UserColumn(user.user()), Seconds(user.used()),
          Seconds(user.entitlement()), Seconds(user.balance_before()),
          Seconds(user.balance_after()), Seconds(user.held()));
    }
  }
  return lines;
}

}  // namespace fairsched::client
