// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_EXPLAIN_H_
#define FAIRSCHED_SERVER_EXPLAIN_H_

#include <string>
#include <vector>

#include "server/usage_view.h"

namespace fairsched::server {

// Why `user` stands as it does, in a few sentences for people, each true at the
// time of the snapshot.
std::vector<std::string> Explain(const UsageView& view, const ViewedUser& user);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_EXPLAIN_H_
