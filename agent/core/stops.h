// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_STOPS_H_
#define FAIRSCHED_AGENT_CORE_STOPS_H_

#include "absl/time/time.h"
#include "agent/core/ledger.h"
#include "agent/core/tick.h"

namespace fairsched::core {

// A user is stopped so that others run on its CPUs: see yield.h. Whether they
// can, only trying tells: they may be pinned to other CPUs, or sleep soon.
// Where CPU idles while a user is stopped, it is not stopped again for a while,
// which doubles each time that the next attempt ends so.

// Books the tick's idle time on those who were stopped in it. Once a tick, with
// what it idled; before the next are stopped.
void JudgeStops(const Tick& tick, State& state);

bool MayBeStopped(const Ledger& ledger, absl::Duration at);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_STOPS_H_
