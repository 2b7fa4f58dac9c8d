// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_EXIT_CODE_H_
#define FAIRSCHED_CLIENT_EXIT_CODE_H_

#include "absl/status/status.h"

namespace fairsched::client {

// What fairctl exits with. Scripts rely on the numbers.
enum class ExitCode {
  kDone = 0,
  kFailed = 1,       // the daemon said no, or the output could not be written
  kUsage = 2,        // the command line is wrong; nothing was sent
  kNotEnforced = 3,  // accepted, but the kernel does not hold it
  kUnreachable = 4,  // nobody answers at the address
  kPermission = 5,
  kNotFound = 6,
  kConflict = 7,  // an etag that is not current, or a name that is taken
};

// The code that says `status`, as RpcError() in rpc_error.h returns it.
ExitCode ExitCodeOf(const absl::Status& status);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_EXIT_CODE_H_
