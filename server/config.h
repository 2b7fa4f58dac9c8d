// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_CONFIG_H_
#define FAIRSCHED_SERVER_CONFIG_H_

#include <optional>
#include <string>

#include "agent/core/policy.h"
#include "server/logger.h"
#include "server/placement.h"

namespace fairsched::server {

// How the daemon is started. Paths are absolute, without a slash at the end.
struct Config {
  enum class Action {
    kRun,
    kRelease,  // give back what an earlier daemon left, and exit
    kVersion,  // say which version this is, and exit
  };

  Action action = Action::kRun;
  std::string state_dir = "/var/lib/fairsched";
  std::string runtime_dir = "/run/fairsched";
  std::string socket;  // default: api.sock in runtime_dir
  std::string http_address = "127.0.0.1:9977";  // loopback; empty: no HTTP
  Placement placement = Placement::kAuto;
  std::string proc_root = "/proc";
  // Below the cgroup mounts; empty: their root. nullopt: where this node
  // allows.
  std::optional<std::string> cgroup_parent;
  core::Mode mode = core::Mode::kObserve;  // that the settings begin with
  LogLevel log_level = LogLevel::kInfo;
};

// What the command line said.
struct CommandLine {
  std::optional<Config> config;  // unset: show `text` and exit
  std::string text;              // help or complaint, with its newline
  int exit_code = 0;             // 0: help, for stdout; 2: usage, for stderr
};

CommandLine ParseCommandLine(int argc, const char* const* argv);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_CONFIG_H_
