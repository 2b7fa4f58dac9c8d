// SPDX-License-Identifier: Apache-2.0
#include "agent/core/fairness.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "agent/core/limits.h"
#include "agent/core/share_tree.h"
#include "agent/core/window.h"

namespace fairsched::core {
namespace {

constexpr absl::Duration kLeastSpan = absl::Seconds(1);
// Wants that add up to this much more than there is are contention.
constexpr double kContended = 1.001;
// Less of a CPU than this is no want and no lack; of a share below the other
// there is no error.
constexpr double kDustCpus = 0.002;
constexpr double kWantingCpus = 0.02;
// Starving: it lacks CPU and gets less than this of one.
constexpr double kStarvingCpus = 0.01;
constexpr double kFlagBelow = 0.5;
constexpr size_t kSpansForSteadiness = 3;

// What the user could have had in the tick.
CpuTime WantOf(const TickUser& user, absl::Duration elapsed) {
  const CpuTime want = WithinLimit(user, user.use + user.lack, elapsed);
  double cpuset = 0;
  for (const CgroupSample& cgroup : user.sample->cgroups) {
    if (!cgroup.cpuset_cpus.has_value()) return want;
    cpuset += *cgroup.cpuset_cpus;
  }
  return cpuset > 0 ? std::min(want, CpuTime::Of(cpuset, elapsed)) : want;
}

SpanLedger& SpanOf(const TickUser& user, const State& state) {
  SpanLedger& span = user.ledger->span;
  if (span.number != state.span.number)
    span = {.number = state.span.number, .starving_for = span.starving_for};
  return span;
}

void CountStarvation(const Tick& tick, TickUser& user, State& state) {
  SpanLedger& span = SpanOf(user, state);
  const bool starves = user.lack > CpuTime::Of(kWantingCpus, tick.elapsed) &&
                       user.use < CpuTime::Of(kStarvingCpus, tick.elapsed);
  span.starving_for =
      starves ? span.starving_for + tick.elapsed : absl::ZeroDuration();
  state.span.longest_starvation =
      std::max(state.span.longest_starvation, span.starving_for);
}

// CPU time that idled while somebody whom we held could have used it.
CpuTime Lost(const Tick& tick) {
  CpuTime held;
  for (const TickUser& user : tick.users) {
    const Ledger& ledger = *user.ledger;
    if ((ledger.demoted && !ledger.lifted) || ledger.stops.since_tick)
      held += user.lack;
  }
  return std::min(tick.idle, held);
}

void CountLag(const Tick& tick, State& state) {
  const auto mean = MeanRatio(tick, Competes);
  if (!mean.has_value()) return;
  for (const TickUser& user : tick.users) {
    if (!Competes(user)) continue;
    const double lag = LagSeconds(
        user.ledger->balance, user.ledger->entitlement, *mean, state.window);
    state.span.largest_lag =
        std::max(state.span.largest_lag, absl::Seconds(std::abs(lag)));
  }
}

// 1 / (1 + CV^2) of what a user had over the last spans.
double SteadinessOf(const RecentSpans& spans) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < spans.count(); ++i) {
    sum += spans.x(i);
    squares += spans.x(i) * spans.x(i);
  }
  // 1 + CV^2 = n sum(x^2) / sum(x)^2.
  if (sum <= 0) return 1;
  return sum * sum / (static_cast<double>(spans.count()) * squares);
}

class Span {
 public:
  explicit Span(const SpanState& state) : state_(state) {}

  void Add(TickUser& user, FairnessReport& report) {
    Ledger& ledger = *user.ledger;
    SpanLedger& span = ledger.span;
    ledger.fair_cpus = span.fair.Cpus(report.length);
    ledger.error_ratio.reset();
    const CpuTime least = std::min(span.fair, span.demand);
    if (least <= CpuTime()) return;
    // Of a small wake-up's delay nobody is starved.
    const bool lacked =
        span.demand - span.got > CpuTime::Of(kDustCpus, report.length);
    const double x = lacked ? std::min(1.0, span.got / least) : 1.0;
    const double weight = span.fair.seconds();
    report.users.push_back({.id = user.sample->id,
                            .got = span.got,
                            .fair = span.fair,
                            .demand = span.demand,
                            .x = x});
    weight_ += weight;
    sum_ += weight * x;
    squares_ += weight * x * x;
    if (x < min_x_) min_x_ = x;
    if (span.fair > CpuTime::Of(kWantingCpus, report.length)) {
      ledger.error_ratio = span.got / span.fair - 1;
      worst_ = std::max(worst_, std::abs(*ledger.error_ratio));
    }
    if (!state_.contended) return;
    ledger.spans.Add(x);
    if (ledger.spans.count() < kSpansForSteadiness) return;
    steady_ += SteadinessOf(ledger.spans);
    ++steady_users_;
  }

  FairnessFigures Figures() const {
    FairnessFigures out{
        .jain = squares_ > 0 ? sum_ * sum_ / (weight_ * squares_) : 0,
        .lost_ratio =
            state_.capacity > CpuTime() ? state_.lost / state_.capacity : 0,
        .min_x = min_x_,
        .worst_error_ratio = worst_,
        .largest_lag = state_.largest_lag,
        .demand_known = state_.demand_known};
    if (steady_users_ > 0)
      out.steadiness = steady_ / static_cast<double>(steady_users_);
    if (out.demand_known) out.longest_starvation = state_.longest_starvation;
    out.fairness = out.jain * (1 - out.lost_ratio) * out.steadiness.value_or(1);
    out.flagged = !out.demand_known || out.min_x < kFlagBelow;
    return out;
  }

 private:
  const SpanState& state_;
  double weight_ = 0, sum_ = 0, squares_ = 0, min_x_ = 1, worst_ = 0;
  double steady_ = 0;
  size_t steady_users_ = 0;
};

void BeginSpan(absl::Duration at, State& state) {
  state.span = {.number = state.span.number + 1, .start = at};
}

}  // namespace

void CountFairness(Tick& tick, State& state) {
  if (state.span.number == 0 || IsJump(tick, state)) {
    BeginSpan(tick.at, state);
    return;
  }
  const CpuTime pool = std::max(tick.capacity - tick.unmanaged, CpuTime());
  std::vector<TreeClaim> claims;
  CpuTime wanted;
  int64_t wanting = 0;
  for (TickUser& user : tick.users) {
    CountStarvation(tick, user, state);
    const CpuTime want = WantOf(user, tick.elapsed);
    claims.push_back({.group = user.terms.group,
                      .claim = {.weight = user.terms.shares,
                                .demand = want,
                                .had = user.ledger->span.had}});
    wanted += want;
    wanting += want > CpuTime::Of(kDustCpus, tick.elapsed) ? 1 : 0;
    state.span.demand_known &= user.demand.has_value();
  }
  const bool contended = wanted > pool.Scale(kContended) && wanting > 1;
  std::vector<CpuTime> fair;
  if (contended) {
    fair =
        FillTree(pool, tick.elapsed, tick.group_terms, claims, FillLeastServed);
  }
  for (size_t i = 0; i < tick.users.size(); ++i) {
    SpanLedger& span = tick.users[i].ledger->span;
    const CpuTime share = contended ? fair[i] : claims[i].claim.demand;
    span.fair += share;
    tick.users[i].ledger->totals.fair += share;
    if (contended) span.had += share;
    span.got += tick.users[i].use;
    span.demand += tick.users[i].use + tick.users[i].lack;
  }
  state.span.contended |= contended;
  state.span.capacity += tick.capacity;
  const CpuTime lost = Lost(tick);
  state.span.lost += lost;
  state.lost += lost;
  CountLag(tick, state);
}

std::optional<FairnessReport> EndSpanIfOver(Tick& tick, State& state) {
  const absl::Duration length = tick.at - state.span.start;
  if (length < std::max(state.window, kLeastSpan) - absl::Milliseconds(1))
    return std::nullopt;
  FairnessReport report{
      .number = state.span.number, .at = tick.at, .length = length};
  Span span(state.span);
  for (TickUser& user : tick.users) {
    SpanOf(user, state);
    span.Add(user, report);
  }
  if (state.span.contended) report.figures = span.Figures();
  state.fairness = report.figures;
  BeginSpan(tick.at, state);
  return report;
}

}  // namespace fairsched::core
