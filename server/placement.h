// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_PLACEMENT_H_
#define FAIRSCHED_SERVER_PLACEMENT_H_

namespace fairsched::server {

// Which cgroups users have.
enum class Placement {
  kAuto,   // adopt, where PID 1 is systemd on a unified tree; else observe only
  kAdopt,  // those that systemd or others made for them
  kOwn,    // such as the daemon makes, and moves processes to
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_PLACEMENT_H_
