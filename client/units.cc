// SPDX-License-Identifier: Apache-2.0
#include "client/units.h"

#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"

namespace fairsched::client {
namespace {

constexpr absl::string_view kDurationForm =
    "a duration of 0..8760h, like 100ms, 10s, 1m or 2h";
constexpr absl::string_view kCpusForm =
    "CPUs of 0..10000cpu, like 2.5cpu, 250% or 500m";

absl::Status NotIn(absl::string_view text, absl::string_view form) {
  return absl::InvalidArgumentError(absl::StrCat("'", text, "' is not ", form));
}

// One of `units` of a CPU, in millicpus.
struct CpuUnit {
  absl::string_view suffix;
  double millicpus;
};
constexpr CpuUnit kCpuUnits[] = {
    {"cpus", 1000}, {"cpu", 1000}, {"%", 10}, {"m", 1}};

// Digits and a point only: the number parser also takes "nan", "inf", signs
// and exponents, which nobody means here.
bool IsPlainNumber(absl::string_view text) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c)) && c != '.') {
      return false;
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<absl::Duration> ParseDuration(absl::string_view text) {
  absl::Duration duration;
  // absl also takes "inf", which the range refuses, and a "+".
  if (absl::StartsWith(text, "+") || !absl::ParseDuration(text, &duration) ||
      duration < absl::ZeroDuration() || duration > kMaxDuration) {
    return NotIn(text, kDurationForm);
  }
  if (duration != absl::Trunc(duration, absl::Microseconds(1))) {
    return NotIn(text, "a duration of whole microseconds");
  }
  return duration;
}

absl::StatusOr<int64_t> ParseMillicpus(absl::string_view text) {
  if (text == "0") return 0;
  for (const CpuUnit& unit : kCpuUnits) {
    absl::string_view number = text;
    double value = 0;
    if (!absl::ConsumeSuffix(&number, unit.suffix)) continue;
    if (!IsPlainNumber(number) || !absl::SimpleAtod(number, &value)) break;
    const double millicpus = value * unit.millicpus;
    if (!(millicpus <= static_cast<double>(kMaxMillicpus))) break;
    const double whole = std::round(millicpus);
    // A binary double can't hold most decimals: 0.07cpu comes out 1e-14 off.
    if (std::abs(millicpus - whole) > 1e-6) {
      return NotIn(text, "a whole number of millicpus (1m = 0.001cpu)");
    }
    return static_cast<int64_t>(whole);
  }
  return NotIn(text, kCpusForm);
}

std::string FormatMillicpus(int64_t millicpus) {
  if (millicpus == 0) return "0";
  if (millicpus > -1000 && millicpus < 1000) {
    return absl::StrCat(millicpus, "m");
  }
  std::string number =
      absl::StrFormat("%d.%03d", millicpus / 1000, std::abs(millicpus % 1000));
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return absl::StrCat(number, "cpu");
}

std::string FormatSeconds(absl::Duration duration) {
  const std::string text =
      absl::StrFormat("%.3fs", absl::ToDoubleSeconds(duration));
  return text == "-0.000s" ? "0.000s" : text;
}

std::string FormatCpus(double cpus) {
  if (!std::isfinite(cpus)) return "-";
  const std::string text = absl::StrFormat("%.2f", cpus);
  return text == "-0.00" ? "0.00" : text;
}

}  // namespace fairsched::client
