// SPDX-License-Identifier: Apache-2.0
#include "agent/core/parts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/container/flat_hash_map.h"

namespace fairsched::core {
namespace {

// Of the quota, all parts of it.
constexpr double kTooMuch = 1.001;
constexpr absl::Duration kLeastBetweenSplits = absl::Milliseconds(500);
constexpr int kPeriodsBetweenSplits = 5;

double WantOf(const CgroupLedger& cgroup) {
  return std::max(cgroup.want_cpus, kLeastWantCpus);
}

double QuotaWantOf(const CgroupLedger& cgroup) {
  return std::max(QuotaWant(cgroup), kLeastWantCpus);
}

bool IsOff(double part, double now) {
  return std::abs(part - now) > kPartsDeadBand * now;
}

// What the cgroups of one user want, added up.
class Sharer {
 public:
  Sharer(const TickUser& user, absl::Duration at, State& state)
      : user_(user), at_(at), state_(state) {
    for (const CgroupSample& sample : user.sample->cgroups) {
      const CgroupLedger& cgroup = state_.cgroups[sample.inode];
      all_ += QuotaWantOf(cgroup);
      // Those that want nothing would take weight from the others in vain.
      if (cgroup.want_cpus > kLeastWantCpus)
        of_arena_[sample.arena] += WantOf(cgroup);
    }
  }

  // All at once, or none: the sums must be right.
  void Share() {
    bool weights_off = false;
    bool quotas_off = false;
    double quotas = 0;
    for (const CgroupSample& sample : user_.sample->cgroups) {
      const CgroupLedger& cgroup = state_.cgroups[sample.inode];
      weights_off |= IsOff(WeightPart(sample, cgroup), cgroup.weight_part);
      quotas_off |= IsOff(QuotaPart(cgroup), cgroup.quota_part);
      quotas += cgroup.quota_part;
    }
    quotas_off &= at_ - user_.ledger->quotas_at >= Pause();
    quotas_off |= quotas > kTooMuch;  // one is new
    if (quotas_off) user_.ledger->quotas_at = at_;
    for (const CgroupSample& sample : user_.sample->cgroups) {
      CgroupLedger& cgroup = state_.cgroups[sample.inode];
      if (weights_off) cgroup.weight_part = WeightPart(sample, cgroup);
      if (quotas_off) cgroup.quota_part = QuotaPart(cgroup);
    }
  }

 private:
  absl::Duration Pause() const {
    const std::optional<Ceiling>& ceiling = user_.ledger->ceiling;
    return BetweenSplits(ceiling.has_value() ? ceiling->period
                                             : absl::ZeroDuration());
  }
  double WeightPart(const CgroupSample& sample,
                    const CgroupLedger& cgroup) const {
    const auto sum = of_arena_.find(sample.arena);
    if (sum == of_arena_.end()) return 1;  // nobody there wants any
    return std::min(1.0, WantOf(cgroup) / sum->second);
  }
  double QuotaPart(const CgroupLedger& cgroup) const {
    return QuotaWantOf(cgroup) / all_;
  }

  const TickUser& user_;
  const absl::Duration at_;
  State& state_;
  double all_ = 0;
  absl::flat_hash_map<int32_t, double> of_arena_;  // of those that want CPU
};

// Where it wants most.
int32_t ArenaOf(const TickUser& user, State& state) {
  const auto& cgroups = user.sample->cgroups;
  if (cgroups.empty()) return 0;
  return std::ranges::max_element(
             cgroups, {},
             [&](const CgroupSample& cgroup) {
               return state.cgroups[cgroup.inode].want_cpus;
             })
      ->arena;
}

}  // namespace

absl::Duration BetweenSplits(absl::Duration period) {
  return std::max(kLeastBetweenSplits, period * kPeriodsBetweenSplits);
}

void ShareOutParts(Tick& tick, State& state) {
  for (TickUser& user : tick.users) {
    user.arena = ArenaOf(user, state);
    const auto& cgroups = user.sample->cgroups;
    if (cgroups.size() == 1) {
      // Its siblings may have gone just now, with their parts.
      CgroupLedger& only = state.cgroups[cgroups.front().inode];
      only.weight_part = only.quota_part = 1;
    } else {
      Sharer(user, tick.at, state).Share();
    }
  }
}

}  // namespace fairsched::core
