// SPDX-License-Identifier: Apache-2.0
#include "client/usage_table.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client/names.h"
#include "client/time.h"
#include "client/units.h"
#include "client/values.h"

namespace fairsched::client {

absl::StatusOr<SortKey> ParseSortKey(absl::string_view text) {
  if (text == "cpu") return SortKey::kCpu;
  if (text == "balance") return SortKey::kBalance;
  if (text == "name") return SortKey::kName;
  return absl::InvalidArgumentError(
      absl::StrCat("'", text, "' is no sort key: cpu, balance or name"));
}

void Sort(std::vector<v1::UserUsage>& users, SortKey key) {
  std::sort(users.begin(), users.end(),
            [key](const v1::UserUsage& a, const v1::UserUsage& b) {
              if (key == SortKey::kCpu && a.cpus() != b.cpus()) {
                return a.cpus() > b.cpus();
              }
              const absl::Duration balance_a = FromProto(a.balance());
              const absl::Duration balance_b = FromProto(b.balance());
              if (key == SortKey::kBalance && balance_a != balance_b) {
                return balance_a < balance_b;
              }
              return a.user() < b.user();
            });
}

std::vector<Column> UserColumns() {
  using Align = Column::Align;
  return {{.title = "USER", .min_width = 12},
          {.title = "SHARES", .align = Align::kRight},
          {.title = "STATE"},
          {.title = "CPU", .align = Align::kRight},
          {.title = "SHARE", .align = Align::kRight},
          {.title = "BALANCE", .align = Align::kRight}};
}

std::vector<Cell> UserCells(const v1::UserUsage& usage) {
  return {{UserId(usage.user())},
          {absl::StrCat(usage.shares())},
          {Word(usage.state()), ColourOf(usage.state())},
          {FormatCpus(usage.cpus())},
          {FormatCpus(usage.entitlement_cpus())},
          {FormatSeconds(FromProto(usage.balance()))}};
}

Cell ReasonCell(const v1::UserUsage& usage) {
  const std::string reason =
      usage.has_override()
          ? absl::StrCat(FormatOverride(usage.override()), "; ", usage.reason())
          : usage.reason();
  if (usage.enforcement() != v1::UserUsage::ENFORCEMENT_NOT_ENFORCED)
    return {reason};
  return {absl::StrCat("NOT ENFORCED, ", Word(usage.not_enforced_reason()),
                       ": ", usage.not_enforced_detail(), "; ", reason),
          Colour::kRed};
}

}  // namespace fairsched::client
