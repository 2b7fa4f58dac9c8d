// SPDX-License-Identifier: Apache-2.0
// Groups, auto windows, the fairness number: rows of scenario.h.
#include <algorithm>
#include <cmath>
#include <optional>
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

Policy InGroup(double window_s, std::vector<UserPolicy> users) {
  int64_t uid = 1;
  for (UserPolicy& user : users) user.selectors = UidSelectors({uid++});
  return Policy({.mode = Mode::kEnforce, .window = absl::Seconds(window_s)},
                std::move(users), {{.id = "g"}});
}

Outcome GroupWithASleeper(double w) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4)},
                     {.id = "b"},
                     {.id = "u", .hogs = Always(4)}});
  node.Run(InGroup(w, {{.id = "a", .group = "g"}, {.id = "b", .group = "g"}}),
           absl::Seconds(60));
  const double a = node.Cpus("a"), u = node.Cpus("u");
  return {absl::StrFormat("a %.4f, U %.4f", a, u),
          Within(a, 1, .01) && Within(u, 1, .01)};
}

Outcome GroupOfUnequal(double w) {
  NodeModel node(2, {{.id = "a", .hogs = Always(4)},
                     {.id = "b", .hogs = Always(2)},
                     {.id = "c", .duty = {Duty(50, 50)}},
                     {.id = "u", .hogs = Always(4)}});
  node.Run(InGroup(w, {{.id = "a", .group = "g"},
                       {.id = "b", .shares = 300, .group = "g"},
                       {.id = "c", .group = "g"},
                       {.id = "u", .shares = 200}}),
           absl::Seconds(120));
  const double g = node.Cpus("a") + node.Cpus("b") + node.Cpus("c");
  return {absl::StrFormat("G %.4f, U %.4f", g, node.Cpus("u")),
          Within(g, 2 / 3., .01)};
}

// The window that an auto window comes to, and the least that some user who
// wants CPU is due in it, in ticks of what it could use of its share.
Outcome AutoWindowOf(double cpus, std::vector<ModelUser> users, int small) {
  NodeModel node(cpus, users);
  std::vector<UserPolicy> defined;
  for (const ModelUser& user : users) {
    defined.push_back(
        {.id = user.id,
         .selectors = UidSelectors({static_cast<int64_t>(defined.size())}),
         .shares = user.id[0] == 's' ? small : 100});
  }
  node.Run(Policy({.mode = Mode::kEnforce, .window = {}}, defined),
           absl::Seconds(60));
  const double window = absl::ToDoubleSeconds(node.decision().node.window);
  double ticks = 1000;
  for (const UserDecision& user : node.decision().users) {
    if (user.state == UserState::kQuiet) continue;
    const double use =
        user.entitlement_cpus * .1 *
        std::min(1.0, static_cast<double>(user.threads.value_or(1)) / cpus);
    ticks = std::min(ticks, user.entitlement.seconds() / use);
  }
  return {absl::StrFormat("W %.2f s, %.0f ticks", window, ticks),
          window >= 1 && window <= 10 && ticks >= 5};
}

Outcome SmallSleeper() {
  return AutoWindowOf(2,
                      {{.id = "a", .hogs = Always(4)},
                       {.id = "b", .hogs = Always(4)},
                       {.id = "s"}},
                      1);
}

Outcome ThousandSleepers() {
  std::vector<ModelUser> users = {{.id = "a", .hogs = Always(4)},
                                  {.id = "b", .hogs = Always(4)}};
  for (int i = 0; i < 1000; ++i) users.push_back({.id = absl::StrCat("t", i)});
  Outcome outcome = AutoWindowOf(2, users, 100);
  outcome.ok &= outcome.figures.rfind("W 1.00 s", 0) == 0;
  return outcome;
}

Outcome ManyCpus() {
  std::vector<ModelUser> users;
  for (int i = 0; i < 100; ++i)
    users.push_back({.id = absl::StrCat("u", i), .hogs = Always(64)});
  return AutoWindowOf(64, users, 100);
}

// The least fairness and x of the spans that `node` has in `span`.
Outcome LeastNumber(NodeModel& node, const Policy& policy,
                    absl::Duration span) {
  double least = 2, x = 2;
  node.SetPolicyObserver([&](const Decision& decision) {
    if (!decision.span.has_value() || !decision.span->figures.has_value())
      return;
    least = std::min(least, decision.span->figures->jain);
    x = std::min(x, decision.span->figures->min_x);
  });
  node.Run(policy, span);
  return {absl::StrFormat("jain %.4f, min x %.3f", least, x),
          least >= .995 && least <= 1.0001};
}

Outcome TinyUserBesideHogs() {
  NodeModel node(
      2, {{.id = "h", .hogs = Always(8)}, {.id = "m", .duty = {Duty(1, 99)}}});
  return LeastNumber(node, Shares(1), absl::Seconds(20));
}

Outcome LimitKeptExactly() {
  NodeModel node(
      2, {{.id = "a", .hogs = Always(4)}, {.id = "l", .hogs = Always(4)}});
  Policy policy = InGroup(
      1, {{.id = "l",
           .limit = Limit{.kind = Limit::Kind::kCpus, .millicpus = 400}}});
  node.Run(policy, absl::Seconds(2));
  return LeastNumber(node, policy, absl::Seconds(20));
}

Outcome LastHalfOfAMinute() {
  NodeModel node(1, {{.id = "a", .hogs = From(30, 1)},
                     {.id = "b", .hogs = From(30, 1)},
                     {.id = "c", .hogs = Always(1)}});
  return LeastNumber(node, Shares(60), absl::Seconds(61));
}

// Its share is so small that no mean shows it.
Outcome TinyUserStarved() {
  NodeModel node(2, {{.id = "a", .hogs = Always(4)},
                     {.id = "b", .hogs = Always(4)},
                     {.id = "s", .hogs = Always(1)}});
  const Policy policy = Shares(1, {{"a", 1000}, {"b", 1000}, {"s", 2}});
  node.Starve("s");
  bool flagged = true;
  double least = 2, x = 2;
  node.SetPolicyObserver([&](const Decision& decision) {
    if (!decision.span.has_value() || !decision.span->figures.has_value())
      return;
    flagged &= decision.span->figures->flagged;
    least = std::min(least, decision.span->figures->jain);
    x = std::min(x, decision.span->figures->min_x);
  });
  node.Run(policy, absl::Seconds(20));
  return {absl::StrFormat("jain %.4f, min x %.3f, %s", least, x,
                          flagged ? "flagged" : "not flagged"),
          flagged && x < .01};
}

// All of a group's limit with one busy member, and by turns.
Outcome GroupAtItsLimit(double w, bool by_turns) {
  const auto even = [by_turns](bool is_even) {
    return [=](absl::Duration t) {
      const auto span = static_cast<int64_t>(absl::ToDoubleSeconds(t) / 1.5);
      return !by_turns || (span % 2 == 0) == is_even ? 4 : 0;
    };
  };
  NodeModel node(
      2, {{.id = "a", .hogs = even(true)}, {.id = "b", .hogs = even(false)}});
  const Policy policy(
      {.mode = Mode::kEnforce, .window = absl::Seconds(w)},
      {{.id = "a", .selectors = UidSelectors({1}), .group = "g"},
       {.id = "b", .selectors = UidSelectors({2}), .group = "g"}},
      {{.id = "g", .limit_millicpus = 500}});
  node.Run(policy, absl::Seconds(3));
  node.ResetFigures();
  node.Run(policy, absl::Seconds(60));
  const double g = node.Cpus("a") + node.Cpus("b");
  return {absl::StrFormat("G %.4f", g), g <= .505 && (by_turns || g >= .495)};
}

const Scenario kScenarios[] = {
    {"17 auto window, a sleeper of 1 beside 100s",
     "W 50 s",
     "E >= 5 ticks of use",
     [](double) { return SmallSleeper(); },
     {kAuto}},
    {"17 auto window, 1000 sleepers",
     "W 60 s",
     "W 1 s",
     [](double) { return ThousandSleepers(); },
     {kAuto}},
    {"17 auto window, 64 CPUs, 100 users",
     "E < a tick's use",
     "E >= 5 ticks of use",
     [](double) { return ManyCpus(); },
     {kAuto}},
    {"21 group with a sleeper", "taken from outside", "1/1, 1 %",
     GroupWithASleeper},
    {"21 group 100 (100, 300, half-busy) beside 200", "taken from outside",
     "G 0.667, 1 %", GroupOfUnequal},
    {"22 1 ms in 100 beside 8 hogs",
     "0.927",
     "1",
     [](double) { return TinyUserBesideHogs(); },
     {1}},
    {"22 a limit of 0.4 kept exactly",
     "0.845",
     "1",
     [](double) { return LimitKeptExactly(); },
     {1}},
    {"22 A, B the last half of a minute beside C",
     "0.980",
     "1",
     [](double) { return LastHalfOfAMinute(); },
     {60}},
    {"22 a user of 0.1 % fully starved",
     "0.999",
     "flagged, min x 0",
     [](double) { return TinyUserStarved(); },
     {1}},
    {"group limit 0.5, alone on the node", "2.0", "0.500, 1 %",
     [](double w) { return GroupAtItsLimit(w, false); }},
    {"group limit 0.5, members by turns", "2.0", "<= 0.505",
     [](double w) { return GroupAtItsLimit(w, true); }},
};

class GroupScenariosTest : public ::testing::TestWithParam<Scenario> {};

TEST_P(GroupScenariosTest, IsAsItMustBe) { RunRow(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Rows, GroupScenariosTest,
                         ::testing::ValuesIn(kScenarios), NameOf);

}  // namespace
}  // namespace fairsched::core
