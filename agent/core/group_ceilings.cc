// SPDX-License-Identifier: Apache-2.0
#include "agent/core/group_ceilings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "agent/core/ceiling.h"
#include "agent/core/grants.h"
#include "agent/core/groups.h"
#include "agent/core/limits.h"
#include "agent/core/parts.h"
#include "agent/core/share_tree.h"
#include "agent/core/water_fill.h"

namespace fairsched::core {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
// Claims are per second.
constexpr absl::Duration kSpan = absl::Seconds(1);
// What a member wants may grow so much at once.
constexpr double kRoom = 1.25;
constexpr double kFloorOfShare = 0.25;
constexpr double kSame = 0.001;
// A limit of 0 would be none.
constexpr double kNothingCpus = 1e-9;

class Splitter {
 public:
  Splitter(const Policy& policy, Tick& tick, State& state)
      : policy_(policy), tick_(tick), state_(state) {}

  void Split() {
    FindTops();
    for (TickUser& user : tick_.users) {
      if (tops_[user.terms.group] == 0) {
        user.ledger->group_cpus = kNone;
      } else {
        members_.push_back(&user);
      }
    }
    if (members_.empty()) return;
    FindTargets();
    FindOff();
    for (size_t i = 0; i < members_.size(); ++i) Settle(i);
  }

 private:
  // Of each group the outermost one with a ceiling that it is in; 0: none.
  void FindTops() {
    tops_.resize(tick_.groups.size());
    ceilings_.assign(tick_.group_terms.begin(), tick_.group_terms.end());
    for (size_t g = 1; g < tops_.size(); ++g) {
      double cpus = GroupCeilingCpus(tick_.group_terms[g], tick_.cpus);
      if (!std::isinf(cpus))
        cpus *= PartAfterDebt(tick_.groups[g].ledger->debt);
      ceilings_[g].limit_cpus = std::isinf(cpus) ? 0 : cpus;
      const size_t above = tops_[ceilings_[g].parent];
      tops_[g] = above != 0 || std::isinf(cpus) ? above : g;
    }
  }

  double WantOf(const TickUser& user) const {
    double want = 0;
    for (const CgroupSample& cgroup : user.sample->cgroups) {
      const auto it = state_.cgroups.find(cgroup.inode);
      if (it != state_.cgroups.end()) want += QuotaWant(it->second);
    }
    return std::min(want, tick_.cpus);
  }

  // What of `ceilings` each member gets of `demands`, in CPUs.
  std::vector<double> Fill(const std::vector<GroupTerms>& ceilings,
                           const std::vector<double>& demands) const {
    std::vector<TreeClaim> claims;
    CpuTime all;
    for (size_t i = 0; i < members_.size(); ++i) {
      const CpuTime demand = CpuTime::Of(demands[i], kSpan);
      claims.push_back(
          {.group = members_[i]->terms.group,
           .claim = {.weight = members_[i]->terms.shares, .demand = demand}});
      all += demand;
    }
    std::vector<double> cpus;
    for (const CpuTime got : FillTree(all, kSpan, ceilings, claims, WaterFill))
      cpus.push_back(got.Cpus(kSpan));
    return cpus;
  }

  // What is left of `ceilings` once members have `got`.
  std::vector<GroupTerms> Rest(const std::vector<double>& got) const {
    std::vector<GroupTerms> rest = ceilings_;
    for (size_t i = 0; i < members_.size(); ++i) {
      for (size_t g = members_[i]->terms.group; g != 0; g = rest[g].parent) {
        if (rest[g].limit_cpus <= 0) continue;
        rest[g].limit_cpus =
            std::max(rest[g].limit_cpus - got[i], kNothingCpus);
      }
    }
    return rest;
  }

  double OwnMost(const TickUser& user) const {
    return std::min(tick_.cpus, LimitCpus(user, state_.window));
  }

  void FindTargets() {
    std::vector<double> wants, more, shares(tops_.size());
    for (const TickUser* user : members_) {
      const double want = WantOf(*user);
      const double most = OwnMost(*user);
      wants.push_back(want < kLeastWantCpus ? 0 : std::min(want * kRoom, most));
      shares[tops_[user->terms.group]] += user->terms.shares;
    }
    targets_ = Fill(ceilings_, wants);
    for (size_t i = 0; i < members_.size(); ++i)
      more.push_back(std::max(OwnMost(*members_[i]) - targets_[i], 0.0));
    const std::vector<double> rest = Fill(Rest(targets_), more);
    for (size_t i = 0; i < members_.size(); ++i) {
      const size_t top = tops_[members_[i]->terms.group];
      const double floor =
          std::min(policy_.settings().floor_millicpus / 1000.0,
                   kFloorOfShare * ceilings_[top].limit_cpus *
                       members_[i]->terms.shares / shares[top]);
      // As little as a cgroup can have.
      targets_[i] = std::max({targets_[i] + rest[i], floor, 0.001});
    }
  }

  // Where it is time, and worth it.
  void FindOff() {
    off_.assign(tops_.size(), false);
    const absl::Duration pause =
        BetweenSplits(Interval(policy_.settings().interval, 0, tick_.cpus));
    for (size_t i = 0; i < members_.size(); ++i) {
      const size_t top = tops_[members_[i]->terms.group];
      const double now = members_[i]->ledger->group_cpus;
      off_[top] =
          off_[top] || (!std::isinf(now) &&
                        std::abs(targets_[i] / now - 1) > kPartsDeadBand);
    }
    for (size_t g = 1; g < off_.size(); ++g) {
      absl::Duration& split_at = tick_.groups[g].ledger->split_at;
      off_[g] = off_[g] && tick_.at - split_at >= pause;
      if (off_[g]) split_at = tick_.at;
    }
  }

  void Settle(size_t i) {
    TickUser& user = *members_[i];
    double& now = user.ledger->group_cpus;
    // Who is new has none yet.
    const bool is_due = std::isinf(now) || off_[tops_[user.terms.group]];
    if (!is_due || std::abs(targets_[i] / now - 1) <= kSame) return;
    now = targets_[i];
    user.split = true;
  }

  const Policy& policy_;
  Tick& tick_;
  State& state_;
  std::vector<size_t> tops_;          // by group
  std::vector<GroupTerms> ceilings_;  // with ceilings in place of limits
  std::vector<TickUser*> members_;    // of groups with a ceiling
  std::vector<double> targets_;       // of each, in CPUs
  std::vector<bool> off_;             // by group
};

// What was used under each ceiling beyond it.
void CountDebts(Tick& tick) {
  for (size_t g = 1; g < tick.groups.size(); ++g) {
    const double cpus = GroupCeilingCpus(tick.group_terms[g], tick.cpus);
    GroupLedger& ledger = *tick.groups[g].ledger;
    if (std::isinf(cpus)) {
      ledger.debt = {};
    } else {
      CountGrants(tick.groups[g].use, cpus, tick.elapsed, ledger.debt);
    }
  }
}

}  // namespace

void ShareOutGroupLimits(const Policy& policy, Tick& tick, State& state) {
  if (policy.settings().mode == Mode::kEnforce) CountDebts(tick);
  Splitter(policy, tick, state).Split();
}

}  // namespace fairsched::core
