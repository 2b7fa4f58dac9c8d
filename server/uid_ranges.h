// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_UID_RANGES_H_
#define FAIRSCHED_SERVER_UID_RANGES_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "agent/core/policy.h"

namespace fairsched::server {

// The uids of ordinary users on this node: from UID_MIN of login.defs (1000
// where that says nothing usable) to the largest uid, as LDAP sites need it,
// less those of dynamic users, nobody and invalid ones (61184..65535), and less
// the ranges of /etc/subuid, which belong to the owners of containers. Lines
// that are no range are passed over. At most 64 ranges: where that is not
// enough, all from the first to the last subordinate uid is left out.
std::vector<core::UidRange> OrdinaryUids(absl::string_view login_defs,
                                         absl::string_view subuid);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_UID_RANGES_H_
