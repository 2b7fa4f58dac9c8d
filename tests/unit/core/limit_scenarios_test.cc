// SPDX-License-Identifier: Apache-2.0
// Limits, steal and floors: rows of scenario.h.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "agent/core/engine.h"
#include "gtest/gtest.h"
#include "tests/support/node_model.h"
#include "tests/unit/core/scenario.h"

namespace fairsched::core {
namespace {

using testing::Always;
using testing::ModelUser;
using testing::NodeModel;

constexpr Steal kUnlimited = {.unlimited = true, .per_second = {}};

Limit Cpus(double cpus, Steal steal = {}) {
  return {.kind = Limit::Kind::kCpus,
          .millicpus = std::lround(cpus * 1000),
          .steal = steal};
}

Policy Limited(double window_s, std::vector<UserPolicy> users) {
  int64_t uid = 1;
  for (UserPolicy& user : users) user.selectors = UidSelectors({uid++});
  return Policy({.mode = Mode::kEnforce, .window = absl::Seconds(window_s)},
                std::move(users));
}

Outcome StealsOnlyWhatIdles(double w) {
  NodeModel node(4, {{.id = "a", .hogs = Always(8)},
                     {.id = "l", .hogs = Always(8)},
                     {.id = "u", .hogs = Always(1)}});
  node.Run(Limited(w, {{.id = "l", .limit = Cpus(.4, kUnlimited)}}),
           absl::Seconds(180));
  const double a = node.Cpus("a"), l = node.Cpus("l"), u = node.Cpus("u");
  return {absl::StrFormat("L %.3f, U %.3f, A %.3f", l, u, a),
          Within(l, .4, .01) && Within(u, 1, .01) && Within(a, 2.6, .01)};
}

Outcome SmallLimit(double w, int cpus, double limit, double most) {
  const int hogs = std::max(cpus, 4);
  NodeModel node(cpus, {{.id = "a", .hogs = Always(hogs)},
                        {.id = "l", .hogs = Always(hogs)}});
  node.Run(Limited(w, {{.id = "l", .limit = Cpus(limit, kUnlimited)}}),
           absl::Seconds(60));
  const double times = node.Cpus("l") / limit;
  return {absl::StrFormat("%.2f x the limit", times), times <= most};
}

// The least and the most of `id` in any second of `span`, by half seconds.
std::pair<double, double> SecondsOf(NodeModel& node, const Policy& policy,
                                    const UserId& id, absl::Duration span) {
  double least = std::numeric_limits<double>::infinity(), most = 0, last = -1;
  for (absl::Duration t; t < span; t += absl::Milliseconds(500)) {
    node.ResetFigures();
    node.Run(policy, absl::Milliseconds(500));
    const double now = node.Cpus(id);
    if (last >= 0) {
      least = std::min(least, (last + now) / 2);
      most = std::max(most, (last + now) / 2);
    }
    last = now;
  }
  return {least, most};
}

Outcome AloneAboveItsLimit(double w) {
  double least = 1, most = 0;
  for (const double alone : {10.0, 90.5}) {
    NodeModel node(2, {{.id = "a", .hogs = From(alone, 4)},
                       {.id = "l", .hogs = Always(4)}});
    const Policy policy =
        Limited(w, {{.id = "l", .limit = Cpus(.4, kUnlimited)}});
    node.Run(policy, absl::Seconds(alone));
    const auto [low, high] = SecondsOf(node, policy, "l", absl::Seconds(20));
    least = std::min(least, low);
    most = std::max(most, high);
  }
  return {absl::StrFormat("%.3f..%.3f", least, most),
          least >= .36 && most <= .44};
}

Outcome ManyFloors(double w) {
  std::vector<ModelUser> users;
  for (int i = 0; i < 41; ++i)
    users.push_back({.id = absl::StrFormat("u%02d", i), .hogs = Always(2)});
  NodeModel node(2, users);
  node.Run(Limited(w, {}), absl::Seconds(60));
  double least = 2, most = 0;
  absl::Duration stall;
  for (const ModelUser& user : users) {
    least = std::min(least, node.Cpus(user.id));
    most = std::max(most, node.Cpus(user.id));
    stall = std::max(stall, node.LongestStall(user.id));
  }
  return {absl::StrFormat("%.4f..%.4f, stall %.2f s", least, most,
                          absl::ToDoubleSeconds(stall)),
          Within(least, 2 / 41., .05) && Within(most, 2 / 41., .05) &&
              stall <= absl::Seconds(2)};
}

Outcome LimitBelowItsFloor(double w) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4)},
                     {.id = "b", .hogs = Always(4)},
                     {.id = "l", .hogs = Always(2)}});
  node.Run(Limited(w, {{.id = "l", .limit = Cpus(.02, kUnlimited)}}),
           absl::Seconds(60));
  const double l = node.Cpus("l");
  return {absl::StrFormat("L %.4f", l), l <= .04};
}

Outcome LimitedAreInTheLedger(double w) {
  NodeModel node(2, {{.id = "a", .hogs = Always(8)},
                     {.id = "b", .duty = {Duty(15, 85)}},
                     {.id = "l", .hogs = Always(8)}});
  node.Run(Limited(w, {{.id = "l", .limit = Cpus(1.5)}}), absl::Seconds(120));
  const double a = node.Cpus("a"), b = node.Cpus("b"), l = node.Cpus("l");
  const double fair = (2 - b) / 2;
  return {absl::StrFormat("L %.3f, A %.3f, B %.3f", l, a, b),
          Within(l, fair, .01) && Within(a, fair, .01)};
}

Outcome LimitIsNoGuarantee(double w, Steal steal) {
  NodeModel node(2, {{.id = "a", .hogs = Always(8)},
                     {.id = "b", .hogs = Always(8)},
                     {.id = "l", .hogs = Always(8)}});
  node.Run(Limited(w, {{.id = "l", .limit = Cpus(1.5, steal)}}),
           absl::Seconds(120));
  const double a = node.Cpus("a"), b = node.Cpus("b"), l = node.Cpus("l");
  return {absl::StrFormat("L %.3f, A %.3f, B %.3f", l, a, b),
          Within(l, 2 / 3., .01) && Within(a, 2 / 3., .01) &&
              Within(b, 2 / 3., .01)};
}

Outcome SmallLimitStalls(double w, Steal steal) {
  NodeModel node(
      2, {{.id = "a", .hogs = Always(4)}, {.id = "l", .hogs = Always(2)}});
  node.Run(Limited(w, {{.id = "l", .limit = Cpus(.1, steal)}}),
           absl::Seconds(120));
  const absl::Duration stall = node.LongestStall("l");
  return {absl::StrFormat("L %.3f, stall %.2f s", node.Cpus("l"),
                          absl::ToDoubleSeconds(stall)),
          stall <= absl::Seconds(1)};
}

// Everybody's share is a ceiling, and somebody comes in every tick.
Outcome EntitlementsOfAThousand(double w) {
  std::vector<ModelUser> users;
  for (int i = 0; i < 1000; ++i) {
    users.push_back({.id = absl::StrFormat("u%03d", i),
                     .hogs = Always(1),
                     .present = i < 950});
  }
  NodeModel node(64, users);
  const Policy policy({.mode = Mode::kEnforce,
                       .window = absl::Seconds(w),
                       .default_limit = {.kind = Limit::Kind::kEntitlement}},
                      {});
  node.Run(policy, absl::Seconds(5));
  node.ResetFigures();
  for (int i = 950; i < 1000; ++i) {
    node.SetPresent(absl::StrFormat("u%03d", i), true);
    node.Run(policy, policy.settings().tick);
  }
  return {absl::StrFormat("%d in 5 s, %d in a tick", node.ceiling_writes(),
                          node.most_ceiling_writes()),
          node.most_ceiling_writes() <= 100 && node.ceiling_writes() <= 1200};
}

Outcome WithoutCpuIdle(double w) {
  std::vector<ModelUser> users = {{.id = "v", .hogs = Always(1)}};
  for (int i = 0; i < 50; ++i)
    users.push_back({.id = absl::StrFormat("u%02d", i), .hogs = Always(2)});
  NodeModel node(2, users);
  node.WithoutIdle();
  node.Run(Limited(w, {{.id = "v", .shares = 1000}}), absl::Seconds(120));
  const double v = node.Cpus("v"), fair = 2 * 1000 / 6000.;
  return {absl::StrFormat("%.4f of %.4f", v, fair), Within(v, fair, .01)};
}

// The scenario of 2011: limits that sum to the machine, and one asleep.
Outcome FiveLimitsOneAsleep(double w, Steal steal, double most_idle) {
  std::vector<ModelUser> users = {{.id = "e", .hogs = From(20, 4)}};
  std::vector<UserPolicy> limits = {{.id = "e", .limit = Cpus(.4, steal)}};
  for (const int hogs : {2, 4, 8, 16}) {
    const UserId id = absl::StrFormat("l%02d", hogs);
    users.push_back({.id = id, .hogs = Always(hogs)});
    limits.push_back({.id = id, .limit = Cpus(.4, steal)});
  }
  NodeModel node(2, users);
  const Policy policy = Limited(w, limits);
  node.Run(policy, absl::Seconds(5));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(15));
  const double idle = node.IdleCpus() / 2;
  node.Run(policy, absl::Milliseconds(500));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(10));
  const double woken = node.Cpus("e");
  return {absl::StrFormat("idle %.2f %%, the fifth %.3f", idle * 100, woken),
          idle <= most_idle && Within(woken, .4, .02)};
}

const Scenario kScenarios[] = {
    {"3 steals only what idles", "L 0.80, A -15 %", "0.40/1.0/2.6, 1 %",
     StealsOnlyWhatIdles},
    {"4 limit 0.02, 2 CPUs", "4.8 x the limit", "<= 2 x",
     [](double w) { return SmallLimit(w, 2, .02, 2); }},
    {"4 limit 0.1, 16 CPUs", "-", "<= 1.6 x",
     [](double w) { return SmallLimit(w, 16, .1, 1.6); }},
    {"4 limit 0.1, 64 CPUs", "-", "<= 1.6 x",
     [](double w) { return SmallLimit(w, 64, .1, 1.6); }},
    {"4 limit 0.5, 64 CPUs", "-", "<= 1.6 x",
     [](double w) { return SmallLimit(w, 64, .5, 1.6); }},
    {"7 alone above its limit, then another wakes",
     "0.087",
     "0.36-0.44 in any second",
     AloneAboveItsLimit,
     {1, 4, 10, 60}},
    {"9 41 floors of 0.05 on 2 CPUs", "impossible sums", "1/41 +- 5 %, 2 s",
     ManyFloors},
    {"9 limit 0.02 under a floor of 0.05", "impossible sums", "<= 0.04",
     LimitBelowItsFloor},
    {"11 limit 1.5 beside a hog", "L +5..8 %, A -9 %", "fair within 1 %",
     LimitedAreInTheLedger},
    {"12 limit 1.5, steal 0", "0.99/0.505/0.505", "0.667 each, 1 %",
     [](double w) { return LimitIsNoGuarantee(w, {}); }},
    {"12 limit 1.5, steal unlimited", "0.99/0.505/0.505", "0.667 each, 1 %",
     [](double w) { return LimitIsNoGuarantee(w, kUnlimited); }},
    {"18 limit 0.1, steal 0", "15.8 s at W 60", "<= 1 s",
     [](double w) { return SmallLimitStalls(w, {}); }},
    {"18 limit 0.1, steal unlimited", "15.8 s at W 60", "<= 1 s",
     [](double w) { return SmallLimitStalls(w, kUnlimited); }},
    {"19 limit: entitlement for 1000 users", "1000 writes a tick",
     "<= 100 a tick, 1200", EntitlementsOfAThousand},
    {"23 no cpu.idle, 50 beside one", "33 % leak", "its share, 1 %",
     WithoutCpuIdle},
    {"2011: five limits of 0.4, steal 100 ms/s", "idle 7-20 %",
     "idle <= 0.5 %, 0.4 +- 2 %",
     [](double w) {
       return FiveLimitsOneAsleep(w, {.per_second = CpuTime::Msec(100)}, .005);
     }},
    {"2011: five limits of 0.4, steal unlimited", "idle 7-20 %",
     "idle <= 0.1 %, 0.4 +- 2 %",
     [](double w) { return FiveLimitsOneAsleep(w, kUnlimited, .001); }},
};

class LimitScenariosTest : public ::testing::TestWithParam<Scenario> {};

TEST_P(LimitScenariosTest, IsAsItMustBe) { RunRow(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Rows, LimitScenariosTest,
                         ::testing::ValuesIn(kScenarios), NameOf);

}  // namespace
}  // namespace fairsched::core
