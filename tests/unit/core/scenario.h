// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_UNIT_CORE_SCENARIO_H_
#define FAIRSCHED_TESTS_UNIT_CORE_SCENARIO_H_

#include <cmath>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "agent/core/policy.h"
#include "gtest/gtest.h"
#include "tests/support/node_model.h"

// What broke a first reading of the engine, on the model of a node: one row a
// scenario and window. Prints the table: naive figure, ours, what must be.
namespace fairsched::core {

// As a window: as long as the engine finds it to be.
inline constexpr double kAuto = 0;

struct Outcome {
  std::string figures;
  bool ok = false;
};

struct Scenario {
  const char* name;
  const char* naive;
  const char* must_be;
  std::function<Outcome(double window_s)> run;
  std::vector<double> windows = {kAuto, 1, 10, 60};
};

inline testing::DutyCycle Duty(int on_ms, int off_ms, int phase_ms = 0) {
  return {absl::Milliseconds(on_ms), absl::Milliseconds(off_ms),
          absl::Milliseconds(phase_ms)};
}

inline Policy Shares(double window_s,
                     std::vector<std::pair<UserId, int>> shares = {}) {
  Settings settings{.mode = Mode::kEnforce, .window = absl::Seconds(window_s)};
  std::vector<UserPolicy> users;
  int64_t uid = 1;
  for (auto& [id, s] : shares)
    users.push_back(
        {.id = id, .selectors = UidSelectors({uid++}), .shares = s});
  return Policy(settings, users);
}

inline std::function<int(absl::Duration)> From(double start_s, int hogs) {
  return
      [=](absl::Duration t) { return t >= absl::Seconds(start_s) ? hogs : 0; };
}

inline bool Within(double got, double fair, double part) {
  return std::abs(got / fair - 1) <= part;
}

// Runs a row at each of its windows.
inline void RunRow(const Scenario& scenario) {
  for (const double window : scenario.windows) {
    const Outcome outcome = scenario.run(window);
    const std::string length = window == kAuto ? "auto" : absl::StrCat(window);
    std::cout << absl::StrFormat("%-6s| %-40s| %4s | %-18s| %-44s| %s\n",
                                 outcome.ok ? "ok" : "NOT OK", scenario.name,
                                 length, scenario.naive, outcome.figures,
                                 scenario.must_be);
    EXPECT_TRUE(outcome.ok) << scenario.name << ", window " << length;
  }
}

// "8 a 20 ms job" -> "Row8_a_20_ms_job"
inline std::string NameOf(const ::testing::TestParamInfo<Scenario>& row) {
  std::string name = absl::StrCat("Row", row.param.name);
  for (char& c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

}  // namespace fairsched::core

#endif  // FAIRSCHED_TESTS_UNIT_CORE_SCENARIO_H_
