// SPDX-License-Identifier: Apache-2.0
#include "agent/core/weights.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "agent/core/limits.h"
#include "agent/core/window.h"

namespace fairsched::core {
namespace {

// The kernel's range of cpu.weight is 1..10000 (cgroup-v2.rst). Weights live
// high in it: beside a demoted group weight 10 leaks 3 %, weight 1 29 %.
constexpr double kMaxWeight = 10000;
// 2^(4 x lag): a quarter of a second of lag doubles the weight.
constexpr double kDoublingsPerSecond = 4;
// Limit tokens double it by every 50 ms of the limit, from half of the bucket.
constexpr double kLimitDoublingsPerSecond = 20;
constexpr double kLimitMiddleSeconds = 0.1;
constexpr double kTop = 128;
constexpr double kLeastTop = 4;
constexpr double kBottomDoublings = 4;
// Bases below this lose too much to rounding, so the top gives way to them.
constexpr double kTopTimesRatio = 1000;
constexpr double kDeadBand = 0.05;
// A spent user is demoted only where its weight is down by half already: before
// that the feedback does it, without the jolt.
constexpr double kDemoteLagSeconds = 0.25;
// The floor: this part of a user's share at most; lifted at so many times the
// floor, since a tick in ten does it, and at most half of the node.
constexpr double kFloorOfShare = 0.25;
constexpr double kLiftTimesFloor = 10;
constexpr double kLiftOfNode = 0.5;

class WeightDecider {
 public:
  WeightDecider(const Policy& policy, Tick& tick, const State& state)
      : policy_(policy), tick_(tick), state_(state) {}

  void Decide() {
    FindBases();
    FindDemoted();
    std::vector<double> weights;
    weights.reserve(tick_.users.size());
    for (const TickUser& user : tick_.users) {
      weights.push_back(Base(user) * std::exp2(Doublings(user)));
      if (user.waiting && !IsBehind(*user.ledger))
        arenas_[user.arena].waiting_weight += weights.back();
    }
    for (size_t i = 0; i < tick_.users.size(); ++i)
      Settle(tick_.users[i], weights[i]);
  }

 private:
  // Siblings: a weight works among them, and nowhere else.
  struct Arena {
    CpuTime balance, entitlement;  // of those that compete
    bool waited_for = false;       // somebody waits
    bool starving = false;
    bool wanted = false;        // by some who are within their limit
    double waiting_weight = 0;  // of those that compete
    // Unset: nobody waits but the bound.
    std::optional<double> Mean() const {
      if (entitlement <= CpuTime()) return std::nullopt;
      return balance / entitlement;
    }
  };

  // The largest entitlement of those that want CPU has the largest base.
  void FindBases() {
    CpuTime most, least;
    for (const bool wanting : {true, false}) {
      for (const TickUser& user : tick_.users) {
        if (wanting && !user.wanting) continue;
        const CpuTime e = user.ledger->entitlement;
        most = std::max(most, e);
        least = least == CpuTime() ? e : std::min(least, e);
      }
      if (most > CpuTime()) break;
    }
    if (most <= CpuTime()) return;
    most_ = most;
    top_ = std::clamp(kTopTimesRatio / (most / least), kLeastTop, kTop);
    tick_.weight_top = top_;
    tick_.weight_top_shrunk = top_ < kTop;
    for (const TickUser& user : tick_.users) {
      Arena& arena = arenas_[user.arena];
      arena.waited_for |= user.waiting;
      if (!Competes(user)) continue;
      arena.balance += user.ledger->balance;
      arena.entitlement += user.ledger->entitlement;
    }
  }

  void FindDemoted() {
    const bool by_2007 = policy_.settings().pacing == Pacing::kNone;
    for (const TickUser& user : tick_.users) {
      Arena& arena = arenas_[user.arena];
      arena.starving |= user.starving;
      arena.wanted |= user.wanting && !user.limit_spent;
    }
    for (TickUser& user : tick_.users) {
      const Arena& arena = arenas_[user.arena];
      user.ledger->demoted = ((user.owes && arena.starving) || by_2007) &&
                             user.spent &&
                             (by_2007 || LagSeconds(user) < -kDemoteLagSeconds);
      user.ledger->demoted |=
          user.limit_spent && (arena.wanted || arena.starving || by_2007);
    }
  }

  // How far it is ahead of what the waiting have left, in seconds of its own
  // entitlement; negative: it has had more than they.
  double LagSeconds(const TickUser& user) const {
    const Ledger& ledger = *user.ledger;
    return core::LagSeconds(ledger.balance, ledger.entitlement,
                            arenas_.at(user.arena).Mean().value_or(0),
                            state_.window);
  }

  double Base(const TickUser& user) const {
    return std::min(kMaxWeight,
                    kMaxWeight / top_ * (user.ledger->entitlement / most_));
  }

  // log2 of weight / base.
  double Doublings(const TickUser& user) const {
    if (policy_.settings().pacing == Pacing::kNone) return 0;
    const double top = std::log2(top_);
    const double bottom = -std::min(kBottomDoublings, top);
    double doublings = 0;
    if (arenas_.at(user.arena).Mean().has_value() && user.wanting) {
      doublings =
          std::clamp(kDoublingsPerSecond * LagSeconds(user), bottom, top);
    }
    const double left = LimitSeconds(tick_, user);
    if (std::isinf(left)) return doublings;
    const double by_limit =
        kLimitDoublingsPerSecond * (left - kLimitMiddleSeconds);
    return std::clamp(
        user.ledger->bound ? by_limit : std::min(doublings, by_limit), bottom,
        top);
  }

  double FloorCpus(const TickUser& user) const {
    return std::min({policy_.settings().floor_millicpus / 1000.0,
                     kFloorOfShare * user.ledger->part * tick_.cpus,
                     LimitCpus(user, state_.window)});
  }

  static bool IsBehind(const Ledger& ledger) {
    return ledger.demoted || ledger.yielding;
  }

  void Settle(TickUser& user, double weight) {
    Ledger& ledger = *user.ledger;
    const double waiting_weight = arenas_.at(user.arena).waiting_weight;
    const double floor = FloorCpus(user);
    ledger.lifted = IsBehind(ledger) && user.wanting && ledger.recent.Full() &&
                    ledger.recent.Cpus() < floor &&
                    policy_.settings().pacing != Pacing::kNone;
    if (ledger.lifted) {
      weight = waiting_weight *
               std::min(kLiftOfNode, kLiftTimesFloor * floor / tick_.cpus);
    } else if (user.wanting && !IsBehind(ledger) && !user.spent &&
               !user.limit_spent) {
      weight = std::max(weight, waiting_weight * floor / tick_.cpus);
    }
    weight = std::clamp(weight, 1.0, kMaxWeight);
    const bool asked = ledger.weight > 0;
    if (asked && !arenas_.at(user.arena).waited_for && !ledger.lifted) return;
    if (!asked || std::abs(weight / ledger.weight - 1) > kDeadBand)
      ledger.weight = weight;
  }

  const Policy& policy_;
  Tick& tick_;
  const State& state_;
  CpuTime most_ = CpuTime::Usec(1);
  double top_ = kTop;
  absl::flat_hash_map<int32_t, Arena> arenas_;
};

}  // namespace

void DecideWeights(const Policy& policy, Tick& tick, const State& state) {
  WeightDecider(policy, tick, state).Decide();
}

}  // namespace fairsched::core
