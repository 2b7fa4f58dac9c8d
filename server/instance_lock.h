// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_INSTANCE_LOCK_H_
#define FAIRSCHED_SERVER_INSTANCE_LOCK_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "server/unique_fd.h"

namespace fairsched::server {

// Held while a daemon, or a release, works on this node: two would write each
// other's values. Ends with the process, however that ends.
class InstanceLock {
 public:
  // FailedPrecondition, with its pid, if another process holds it. The file is
  // made if it is not there, and is left there.
  static absl::StatusOr<InstanceLock> Take(const std::string& path);

 private:
  explicit InstanceLock(UniqueFd file) : file_(std::move(file)) {}

  UniqueFd file_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_INSTANCE_LOCK_H_
