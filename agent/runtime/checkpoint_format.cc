// SPDX-License-Identifier: Apache-2.0
#include "agent/runtime/checkpoint_format.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "agent/core/status_macros.h"
#include "agent/core/validate.h"
#include "agent/runtime/fingerprint.h"

namespace fairsched::runtime {
namespace {

constexpr absl::string_view kMagic = "fairsched-checkpoint";
constexpr double kNano = 1e9;
constexpr absl::string_view kVersion = "2";
constexpr size_t kNodeFields = 15;
constexpr size_t kUserFields = 29;  // and the x of up to kSpans spans
constexpr size_t kGroupFields = 9;
// Sums of such numbers don't overflow.
constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 1024;

using Fields = std::vector<absl::string_view>;
using Numbers = std::vector<int64_t>;

int64_t Nanos(absl::Duration time) { return absl::ToInt64Nanoseconds(time); }

void AppendUser(const core::UserCheckpoint& user, std::string& text) {
  absl::StrAppend(&text, "user ", user.id);
  for (const int64_t number : std::array<int64_t, kUserFields - 2>{
           user.balance.usec(),
           user.entitlement.usec(),
           user.claim.usec(),
           user.shares,
           user.active,
           user.admitted,
           Nanos(user.since_wanted),
           Nanos(user.since_present),
           user.used.usec(),
           user.surplus.usec(),
           Nanos(user.held),
           user.got.usec(),
           user.unmet.usec(),
           user.due.usec(),
           user.limit.begun,
           user.limit.tokens.usec(),
           user.limit.room.usec(),
           user.stolen.usec(),
           user.owed.usec(),
           static_cast<int64_t>(user.span.number),
           user.span.fair.usec(),
           user.span.got.usec(),
           user.span.demand.usec(),
           user.span.had.usec(),
           Nanos(user.span.starving_for),
           user.interval_left.usec(),
           Nanos(user.since_interval)}) {
    absl::StrAppend(&text, " ", number);
  }
  for (const double x : user.spans)
    absl::StrAppend(&text, " ", std::llround(x * kNano));
  text += "\n";
}

void AppendGroup(const core::GroupCheckpoint& group, std::string& text) {
  absl::StrAppend(&text, "group ", group.id);
  for (const int64_t number : std::array<int64_t, kGroupFields - 2>{
           group.limit.begun, group.limit.tokens.usec(),
           group.limit.room.usec(), group.owed.usec(), group.used.usec(),
           group.surplus.usec(), group.stolen.usec()}) {
    absl::StrAppend(&text, " ", number);
  }
  text += "\n";
}

absl::Status Bad(absl::string_view what) {
  return absl::FailedPreconditionError(what);
}

absl::StatusOr<Numbers> ParseNumbers(const Fields& fields, size_t first) {
  Numbers numbers;
  for (size_t i = first; i < fields.size(); ++i) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(fields[i], &number) || number > kMost ||
        number < -kMost) {
      return Bad(absl::StrCat("field ", i + 1, " is no number in range"));
    }
    numbers.push_back(number);
  }
  return numbers;
}

absl::Status ParseNode(const Fields& fields, core::Checkpoint& out) {
  if (fields.size() != kNodeFields || fields[0] != "node")
    return Bad("not 'node ...'");
  ASSIGN_OR_RETURN(const Numbers numbers, ParseNumbers(fields, 1));
  for (const int64_t number : numbers) {
    if (number < 0) return Bad("a number below 0");
  }
  if (numbers[3] > 0 && numbers[1] == 0) return Bad("a window of no length");
  out.at = absl::Nanoseconds(numbers[0]);
  out.window = absl::Nanoseconds(numbers[1]);
  out.window_age = absl::Nanoseconds(numbers[2]);
  out.window_number = static_cast<uint64_t>(numbers[3]);
  out.unmanaged_cpus = static_cast<double>(numbers[4]) / kNano;
  out.forecast_cpus = static_cast<double>(numbers[5]) / kNano;
  out.span = {.number = static_cast<uint64_t>(numbers[6]),
              .start = out.at - absl::Nanoseconds(numbers[7]),
              .contended = numbers[8] != 0,
              .demand_known = numbers[9] != 0,
              .capacity = core::CpuTime::Usec(numbers[10]),
              .lost = core::CpuTime::Usec(numbers[11]),
              .largest_lag = absl::Nanoseconds(numbers[12]),
              .longest_starvation = absl::Nanoseconds(numbers[13])};
  return absl::OkStatus();
}

absl::Status ParseUser(const Fields& fields, core::Checkpoint& out) {
  if (fields.size() < kUserFields ||
      fields.size() > kUserFields + core::RecentSpans::kSpans ||
      fields[0] != "user" || !core::IsValidId(fields[1])) {
    return Bad("not 'user ID ...'");
  }
  ASSIGN_OR_RETURN(const Numbers n, ParseNumbers(fields, 2));
  // Tokens to divide by, and times that have passed.
  if (n[1] < 0 || n[3] < 0 || n[3] > std::numeric_limits<int32_t>::max() ||
      n[6] < 0 || n[7] < 0 || n[19] < 0 || n[26] < 0) {
    return Bad("a number out of range");
  }
  const auto cpu = [&n](size_t i) { return core::CpuTime::Usec(n[i]); };
  out.users.push_back(
      {.id = std::string(fields[1]),
       .balance = cpu(0),
       .entitlement = cpu(1),
       .claim = cpu(2),
       .shares = static_cast<int32_t>(n[3]),
       .active = n[4] != 0,
       .admitted = n[5] != 0,
       .since_wanted = absl::Nanoseconds(n[6]),
       .since_present = absl::Nanoseconds(n[7]),
       .used = cpu(8),
       .surplus = cpu(9),
       .held = absl::Nanoseconds(n[10]),
       .got = cpu(11),
       .unmet = cpu(12),
       .due = cpu(13),
       .limit = {.begun = n[14] != 0, .tokens = cpu(15), .room = cpu(16)},
       .stolen = cpu(17),
       .owed = cpu(18),
       .interval_left = cpu(25),
       .since_interval = absl::Nanoseconds(n[26]),
       .span = {.number = static_cast<uint64_t>(n[19]),
                .fair = cpu(20),
                .got = cpu(21),
                .demand = cpu(22),
                .had = cpu(23),
                .starving_for = absl::Nanoseconds(n[24])},
       .spans = {}});
  for (size_t i = kUserFields - 2; i < n.size(); ++i) {
    if (n[i] < 0 || n[i] > static_cast<int64_t>(kNano))
      return Bad("a number out of range");
    out.users.back().spans.push_back(static_cast<double>(n[i]) / kNano);
  }
  const size_t count = out.users.size();
  if (count > 1 && out.users[count - 2].id >= out.users[count - 1].id)
    return Bad("users are not in order");
  return absl::OkStatus();
}

absl::Status ParseGroup(const Fields& fields, core::Checkpoint& out) {
  if (fields.size() != kGroupFields || !core::IsValidId(fields[1]))
    return Bad("not 'group ID ...'");
  ASSIGN_OR_RETURN(const Numbers n, ParseNumbers(fields, 2));
  const auto cpu = [&n](size_t i) { return core::CpuTime::Usec(n[i]); };
  if (!out.groups.empty() && out.groups.back().id >= fields[1])
    return Bad("groups are not in order");
  out.groups.push_back(
      {.id = std::string(fields[1]),
       .limit = {.begun = n[0] != 0, .tokens = cpu(1), .room = cpu(2)},
       .owed = cpu(3),
       .used = cpu(4),
       .surplus = cpu(5),
       .stolen = cpu(6)});
  return absl::OkStatus();
}

}  // namespace

std::string FormatCheckpoint(const core::Checkpoint& checkpoint,
                             absl::string_view boot_id) {
  std::string text =
      absl::StrCat(kMagic, " ", kVersion, " ", boot_id, "\nnode ",
                   Nanos(checkpoint.at), " ", Nanos(checkpoint.window), " ",
                   Nanos(checkpoint.window_age), " ", checkpoint.window_number,
                   " ", std::llround(checkpoint.unmanaged_cpus * kNano), " ",
                   std::llround(checkpoint.forecast_cpus * kNano));
  const core::SpanState& span = checkpoint.span;
  for (const int64_t number : std::array<int64_t, kNodeFields - 7>{
           static_cast<int64_t>(span.number), Nanos(checkpoint.at - span.start),
           span.contended, span.demand_known, span.capacity.usec(),
           span.lost.usec(), Nanos(span.largest_lag),
           Nanos(span.longest_starvation)}) {
    absl::StrAppend(&text, " ", number);
  }
  text += "\n";
  for (const core::UserCheckpoint& user : checkpoint.users)
    AppendUser(user, text);
  for (const core::GroupCheckpoint& group : checkpoint.groups)
    AppendGroup(group, text);
  return absl::StrCat(text, "end ", Fingerprint(text), "\n");
}

absl::StatusOr<core::Checkpoint> ParseCheckpoint(absl::string_view name,
                                                 absl::string_view text,
                                                 absl::string_view boot_id) {
  const auto bad = [name](size_t line, absl::string_view what) {
    return Bad(absl::StrCat("checkpoint ", name, ":", line, ": ", what));
  };
  if (text.size() > kMaxCheckpointBytes) return bad(1, "the file is too long");
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  const Fields head = absl::StrSplit(lines[0], ' ');
  if (head.size() != 3 || head[0] != kMagic)
    return bad(1, "this is no checkpoint of fairsched");
  if (head[1] != kVersion)
    return bad(1, absl::StrCat("only version ", kVersion, " is known"));
  // The last line, and an empty one after it.
  const size_t last = lines.size() < 2 ? 0 : lines.size() - 2;
  const size_t whole = text.size() - lines[last].size() - 1;
  if (last < 2 || !lines.back().empty() ||
      lines[last] != absl::StrCat("end ", Fingerprint(text.substr(0, whole)))) {
    return bad(lines.size(), "it is torn, or was changed");
  }
  if (head[2] != boot_id)
    return absl::NotFoundError(absl::StrCat(name, " is of another boot"));
  core::Checkpoint checkpoint;
  for (size_t i = 1; i < last; ++i) {
    const Fields fields = absl::StrSplit(lines[i], ' ');
    const auto parse = i == 1                 ? ParseNode
                       : fields[0] == "group" ? ParseGroup
                                              : ParseUser;
    const absl::Status status = parse(fields, checkpoint);
    if (!status.ok()) return bad(i + 1, status.message());
  }
  return checkpoint;
}

}  // namespace fairsched::runtime
