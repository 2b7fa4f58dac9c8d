// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_COMPLETION_H_
#define FAIRSCHED_CLIENT_COMPLETION_H_

#include <string>

#include "CLI/CLI.hpp"

namespace fairsched::client {

enum class Shell { kBash, kZsh, kFish };

// A script that completes the commands and options of `app`, and of its
// commands to a depth of two, in `shell`.
std::string CompletionScript(const CLI::App& app, Shell shell);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_COMPLETION_H_
