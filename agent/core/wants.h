// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_WANTS_H_
#define FAIRSCHED_AGENT_CORE_WANTS_H_

#include "agent/core/tick.h"

namespace fairsched::core {

// Who lacked what in the tick. Fills in, for each user with shares:
//   unmet    demand less use; 0 where demand is unknown
//   lack     the same, with a guess where demand is unknown
//   missing  demand less what it would have had if nobody were held: the
//            smaller of its use and its part, by shares, of everybody's demand
//            (a limited one's up to its limit).
//            (By unmet demand alone a demotion satisfies its victim, nobody
//            starves any more, and the debt is forgiven a tick later.)
//   waiting  missing more than a wake-up's delay, and not limit-spent
//   hungry   missing so much that others ought to make room
//   wanting  waiting, or using CPU in earnest
// Where demand is unknown, a user that uses CPU is taken to wait for more while
// the node has none idle, as far as its threads could use it.
void JudgeWants(Tick& tick);

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_WANTS_H_
