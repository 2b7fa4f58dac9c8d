// SPDX-License-Identifier: Apache-2.0
// Shares: the rows of scenario.h without limits and groups.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
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

Outcome Satisfied(double w) {
  NodeModel node(4, {{.id = "a", .hogs = Always(1)},
                     {.id = "b", .hogs = Always(8)},
                     {.id = "c", .hogs = Always(8)}});
  node.Run(Shares(w, {{"a", 100}, {"b", 90}, {"c", 10}}), absl::Seconds(240));
  const double a = node.Cpus("a"), b = node.Cpus("b"), c = node.Cpus("c");
  return {absl::StrFormat("%.3f/%.3f/%.3f", a, b, c),
          Within(a, 1, .01) && Within(b, 2.7, .01) && Within(c, .3, .01)};
}

Outcome Monitor(double w) {
  NodeModel node(2, {{.id = "m", .duty = {Duty(3, 97)}},
                     {.id = "a", .hogs = Always(4)},
                     {.id = "b", .hogs = Always(4)}});
  node.Run(Shares(w, {{"m", 100}, {"a", 90}, {"b", 10}}), absl::Seconds(120));
  const double ratio = node.Cpus("a") / node.Cpus("b");
  return {absl::StrFormat("A:B %.2f", ratio), Within(ratio, 9, .05)};
}

Outcome Sleepers(double w) {
  std::vector<ModelUser> users = {
      {.id = "a", .hogs = Always(4)},
      {.id = "b", .hogs = Always(16), .bias = 1.08}};
  for (int i = 0; i < 100; ++i) users.push_back({.id = absl::StrCat("s", i)});
  NodeModel node(2, users, /*noise=*/0);
  node.Run(Shares(w), absl::Seconds(60));
  const double a = node.Cpus("a"), b = node.Cpus("b");
  const double error = std::abs(a / (a + b) - .5) * 2;
  return {absl::StrFormat("%.2f %%", error * 100), error <= .003};
}

Outcome AloneThenWoken(double w) {
  double worst = 2;
  for (const double start : {85.0, 85.5, 97.3}) {
    NodeModel node(2, {{.id = "a", .hogs = From(start, 4)},
                       {.id = "b", .hogs = Always(4)}});
    node.Run(Shares(w), absl::Seconds(start));
    node.ResetFigures();
    node.Run(Shares(w), absl::Seconds(10));
    worst = std::min({worst, node.Cpus("a"), node.Cpus("b")});
  }
  return {absl::StrFormat("least %.3f", worst), worst >= .95};
}

// A user deep in debt that then only has a 20 ms job every three seconds.
Outcome JobWhileDemoted(double w) {
  NodeModel node(
      2, {{.id = "h", .hogs = Always(4)},
          {.id = "j",
           .hogs =
               [](absl::Duration t) {
                 return t > absl::Seconds(5) && t < absl::Seconds(9) ? 8 : 0;
               },
           .duty = {Duty(20, 3000, 1000)}}});
  node.Run(Shares(w), absl::Seconds(9));
  node.mutable_state().users["j"].balance = -CpuTime::Msec(40'000);
  node.ResetFigures();
  node.Run(Shares(w), absl::Seconds(21));
  const absl::Duration worst = node.WorstJob("j");
  return {absl::StrFormat("worst job %.2f s", absl::ToDoubleSeconds(worst)),
          worst <= absl::Milliseconds(1200)};
}

Outcome WavesOfSleepers(double w) {
  const double wave = w == kAuto ? 10 : w;
  std::vector<ModelUser> users = {{.id = "a", .duty = {Duty(10, 30)}},
                                  {.id = "b", .hogs = Always(4)}};
  for (int i = 0; i < 8; ++i) {
    users.push_back(
        {.id = absl::StrCat("s", i), .hogs = [wave](absl::Duration t) {
           const double s = absl::ToDoubleSeconds(t);
           const bool on = std::fmod(s, wave) > wave * .12 && s > wave * .9;
           return on ? 2 : 0;
         }});
  }
  NodeModel node(2, users);
  node.Run(Shares(w), absl::Seconds(3 * wave + 2));
  absl::Duration stall;
  for (const ModelUser& user : users)
    stall = std::max(stall, node.LongestStall(user.id));
  return {absl::StrFormat("longest stall %.2f s", absl::ToDoubleSeconds(stall)),
          stall <= absl::Seconds(2)};
}

Outcome FreshUserEachTick(double w) {
  std::vector<ModelUser> users = {{.id = "b", .hogs = Always(4)}};
  for (int i = 0; i < 1210; ++i) {
    users.push_back({.id = absl::StrFormat("c%04d", i),
                     .hogs = Always(2),
                     .present = i < 9});
  }
  NodeModel node(2, users);
  const Policy policy = Shares(w);
  for (int i = 0; i < 1200; ++i) {
    node.Run(policy, policy.settings().tick);
    node.SetPresent(absl::StrFormat("c%04d", i), false);
    node.SetPresent(absl::StrFormat("c%04d", i + 9), true);
  }
  const double b = node.Cpus("b");
  return {absl::StrFormat("%.4f", b), Within(b, .2, .02)};
}

Outcome Bias(double w) {
  NodeModel node(2,
                 {{.id = "a", .hogs = Always(4)},
                  {.id = "b", .hogs = Always(16), .bias = 1.08}},
                 .02);
  double worst = 0, a = 0, b = 0;
  int64_t writes = 0;
  for (int i = 0; i < 10; ++i) {
    node.ResetFigures();
    node.Run(Shares(w), absl::Seconds(10));
    a += node.Cpus("a");
    b += node.Cpus("b");
    writes += node.writes();
    const double part = node.Cpus("a") / (node.Cpus("a") + node.Cpus("b"));
    worst = std::max(worst, std::abs(part - .5) * 2);
  }
  const double all = std::abs(a / (a + b) - .5) * 2;
  return {absl::StrFormat("10 s %.2f %%, 100 s %.3f %%, %d writes", worst * 100,
                          all * 100, writes),
          worst <= .005 && all <= .001 && writes <= 300};
}

Outcome HalfBusyVictim(double w, int hog_shares) {
  NodeModel node(2, {{.id = "a", .duty = {Duty(10, 10), Duty(10, 10, 5)}},
                     {.id = "b", .hogs = Always(4)}});
  const Policy policy = Shares(w, {{"a", 100}, {"b", hog_shares}});
  node.Run(policy, absl::Seconds(20));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(100));
  const double a = node.Cpus("a");
  return {absl::StrFormat("%.2f %%", a * 100), a >= .985};
}

// When a user that wants more than its shares has its 8 hogs run.
using Cheat = std::function<bool(const NodeModel&)>;

bool WhileItHasTokens(const NodeModel& node) {
  const auto x = node.state().users.find("x");
  return x == node.state().users.end() || x->second.balance > CpuTime();
}

bool ATenthOfEverySecond(const NodeModel& node) {
  return std::fmod(absl::ToDoubleSeconds(node.now()), 1.0) < .1;
}

// Three users of hogs, three of a third of duty, and one that cheats.
Outcome Cheating(double w, int shares, const Cheat& runs) {
  NodeModel* model = nullptr;
  std::vector<ModelUser> users = {
      {.id = "x", .hogs = [&model, &runs](absl::Duration) {
         return runs(*model) ? 8 : 0;
       }}};
  for (int i = 0; i < 3; ++i) {
    users.push_back({.id = absl::StrCat("h", i), .hogs = Always(4)});
    users.push_back({.id = absl::StrCat("d", i), .duty = {Duty(10, 20)}});
  }
  NodeModel node(8, users);
  model = &node;
  node.Run(Shares(w, {{"x", shares}}), absl::Seconds(100));
  double left = 8;
  for (int i = 0; i < 3; ++i) left -= node.Cpus(absl::StrCat("d", i));
  const double fair = left * shares / (300 + shares);
  const double got = node.Cpus("x");
  return {absl::StrFormat("%.4f of %.4f", got, fair),
          got <= std::max(1.1 * fair, fair + (w <= 1 ? .01 : 0))};
}

Outcome UnmanagedBursts(double w) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4)},
                     {.id = "b", .hogs = Always(4), .bias = 1.1}});
  const Policy policy = Shares(w, {{"a", 90}, {"b", 10}});
  for (int i = 0; i < 30; ++i) {
    node.SetUnmanaged(i % 2 == 0 ? 1.96 : 0);
    node.Run(policy, absl::Seconds(2));
  }
  node.ResetFigures();
  for (int i = 0; i < 60; ++i) {
    node.SetUnmanaged(i % 2 == 0 ? 1.96 : 0);
    node.Run(policy, absl::Seconds(2));
  }
  const double ratio = node.Cpus("a") / node.Cpus("b");
  return {absl::StrFormat("A:B %.2f", ratio), Within(ratio, 9, .01)};
}

const Scenario kScenarios[] = {
    {"1 a satisfied user blocks no restart", "1.00/2.30/0.70",
     "1/2.70/0.30, 1 %", Satisfied},
    {"2 a monitor of 3 % duty", "A:B 3.0-3.6", "9 +- 5 %", Monitor},
    {"5 100 sleepers, 2 users of hogs", "3.8 %", "<= 0.3 %", Sleepers},
    {"6 alone, then another wakes",
     "0.017 at W 60",
     ">= 0.95",
     AloneThenWoken,
     {kAuto, 2, 10, 60}},
    {"8 a 20 ms job while demoted", "3.0 s", "<= 1.2 s", JobWhileDemoted},
    {"10 8 sleepers wake again and again", "34.8 s at W 60", "<= 2 s",
     WavesOfSleepers},
    {"13 a fresh user each tick", "0.131/0.076/0.069", "0.2 +- 2 %",
     FreshUserEachTick},
    {"14 a load balancer biased by 8 %", "3.7 % at W 60",
     "0.5 %, 0.1 %, 300 writes", Bias},
    {"15 half-busy beside 4 hogs", "-2.8 %", ">= 98.5 %",
     [](double w) { return HalfBusyVictim(w, 100); }},
    {"15 the same, hogs of tiny shares", "-2.8 %", ">= 98.5 %",
     [](double w) { return HalfBusyVictim(w, 1); }},
    {"16 runs while it has tokens, 1 of 601", "-", "<= 1.1 x its share",
     [](double w) { return Cheating(w, 1, WhileItHasTokens); }},
    {"16 runs while it has tokens, 100 of 700", "-", "<= 1.1 x its share",
     [](double w) { return Cheating(w, 100, WhileItHasTokens); }},
    {"16 bursts, 1 of 601", "-", "<= 1.1 x its share",
     [](double w) { return Cheating(w, 1, ATenthOfEverySecond); }},
    {"16 bursts, 100 of 700", "-", "<= 1.1 x its share",
     [](double w) { return Cheating(w, 100, ATenthOfEverySecond); }},
    {"20 unmanaged bursts", "entitlement <= 0", "9 +- 1 %", UnmanagedBursts},
};

class ScenariosTest : public ::testing::TestWithParam<Scenario> {};

TEST_P(ScenariosTest, IsAsItMustBe) { RunRow(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Rows, ScenariosTest, ::testing::ValuesIn(kScenarios),
                         NameOf);

}  // namespace
}  // namespace fairsched::core
