// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_LIMITS_H_
#define FAIRSCHED_AGENT_CORE_LIMITS_H_

#include "agent/core/tick.h"

namespace fairsched::core {

// A limit of so many CPUs has a bucket of tokens beside the share ledger:
// filled by the limit, of a depth of 0.2 s of it (a quarter of that while
// others hardly lack anything, so that they find no burst when they wake), and
// never touched by renewals. Charged is what the user got while others lacked
// it: alone it pays nothing, and what it gets demoted is the steal. A limit is
// no guarantee: its tokens only ever lower a weight, except those of a user
// that is *bound*, whose entitlement is its limit: they alone make its weight.

// A group's limit is on the sum of its members, with the steal that is the
// settings' default: held by ceilings of its members (group_ceilings.h) or, if
// the steal is unlimited, by order: they are limit-spent together, and may have
// what nobody else wants.

// Fills buckets that are new, and says who is limit-spent as the tick begins:
// its tokens are used up. Where the kernel's ceiling is the limit itself (steal
// 0, or a limit so small that what leaks to an idle cgroup would pass it) it
// never is.
void JudgeLimits(Tick& tick);

// The limit in force, in CPUs: a number, or the entitlement of a window.
// Infinite: none.
double LimitCpus(const TickUser& user, absl::Duration window);

// `most` of CPU time in `span`, or what a limit in CPUs leaves of it.
CpuTime WithinLimit(const TickUser& user, CpuTime most, absl::Duration span);

// What is left of the limit tokens of a user, or of a group that it is in: the
// least, in seconds of the limit. Infinite: it has none.
double LimitSeconds(const Tick& tick, const TickUser& user);

// Whether `user` has a limit in CPUs that a ceiling in the kernel holds alone.
bool CeilingIsLimit(const TickUser& user, double cpus);

// The ceiling that a user's own limit and steal ask for, on a node of so many
// CPUs. Infinite: none, as the limit is held by order alone, or not at all.
double OwnCeilingCpus(const TickUser& user, absl::Duration window, double cpus);

// The same of a group: what the ceilings of its members may add up to.
double GroupCeilingCpus(const GroupTerms& group, double cpus);

// Charges the tick's use to the buckets, and judges anew: who is limit-spent
// neither waits nor is hungry; a bound one is never hungry: its tokens pace it,
// and nobody is demoted for it. Counts what was stolen.
void ChargeLimits(Tick& tick, absl::Duration window);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_LIMITS_H_
