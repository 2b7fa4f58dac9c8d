// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_OVERRIDE_H_
#define FAIRSCHED_AGENT_CORE_OVERRIDE_H_

#include <cstdint>

namespace fairsched::core {

// What holds of one user for a while, in place of its definition. It moves no
// process: an exempt user stays where it is. Ranges are in validate.h.
struct Override {
  enum class Kind {
    // A limit without steal and burst, unless its own is lower. An exempt user
    // stays exempt.
    kRestrict,
    kBoost,   // its shares, so many times
    kExempt,  // never throttled, but accounted
  };
  Kind kind = Kind::kRestrict;
  int64_t millicpus = 0;  // with kRestrict; 1000: one CPU
  int32_t factor = 1;     // with kBoost
  friend bool operator==(const Override&, const Override&) = default;
};

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_OVERRIDE_H_
