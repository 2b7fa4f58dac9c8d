// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_USAGE_TABLE_H_
#define FAIRSCHED_CLIENT_USAGE_TABLE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/table.h"
#include "fairsched/v1/usage_service.pb.h"

namespace fairsched::client {

// What lists of users are sorted by: most CPUs first, lowest balance first, or
// name. Equal ones are in order of name.
enum class SortKey { kCpu, kBalance, kName };

// InvalidArgument but for "cpu", "balance" and "name".
absl::StatusOr<SortKey> ParseSortKey(absl::string_view text);

void Sort(std::vector<v1::UserUsage>& users, SortKey key);

// The columns that every list of users has: name, shares, state, CPUs,
// entitlement and balance; UserCells() are the cells to them.
std::vector<Column> UserColumns();
std::vector<Cell> UserCells(const v1::UserUsage& usage);

// Why the user stands as it does, and why its decision doesn't hold, if so.
Cell ReasonCell(const v1::UserUsage& usage);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_USAGE_TABLE_H_
