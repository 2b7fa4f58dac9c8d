// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_FAIRCTL_H_
#define FAIRSCHED_CLIENT_FAIRCTL_H_

#include <string>
#include <vector>

#include "client/environment.h"
#include "client/exit_code.h"

namespace fairsched::client {

// The program fairctl: runs the command that `arguments` name, without the
// program's name. Errors are explained on the environment's `err`.
ExitCode RunFairctl(std::vector<std::string> arguments,
                    Environment& environment);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_FAIRCTL_H_
