// SPDX-License-Identifier: Apache-2.0
#include "server/config.h"

#include <CLI/CLI.hpp>
#include <map>
#include <sstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "server/host_port.h"

namespace fairsched::server {
namespace {

constexpr int kUsageError = 2;
constexpr size_t kMaxPathBytes = 4095;

// CLI11 takes a string: empty is fine, anything else is the complaint.
std::string CheckPath(const std::string& path) {
  if (!absl::StartsWith(path, "/")) return "'" + path + "' is not absolute";
  if (path.size() > kMaxPathBytes || path.find('\0') != std::string::npos) {
    return "not a path";
  }
  for (const absl::string_view part : absl::StrSplit(path, '/')) {
    if (part == "..") return "'" + path + "' has a '..' in it";
  }
  return "";
}

std::string CheckHttpAddress(const std::string& address) {
  if (address.empty()) return "";
  const absl::StatusOr<HostPort> parsed = ParseLoopback(address);
  return parsed.ok() ? "" : std::string(parsed.status().message());
}

void AddPath(CLI::App& app, const char* name, std::string& path,
             const char* help) {
  app.add_option(name, path, help)
      ->check(CLI::Validator(CheckPath, "PATH"))
      ->type_name("")
      ->capture_default_str();
}

// CLI11 shows numbers of an enumeration in its help: names are set apart.
struct Names {
  std::string placement = "auto";
  std::string mode = "observe";
  std::string log_level = "info";
  std::string cgroup_parent;  // empty: not said
};

void AddOptions(CLI::App& app, Config& config, Names& names) {
  AddPath(app, "--state-dir", config.state_dir, "Keeps what must not be lost");
  AddPath(app, "--runtime-dir", config.runtime_dir,
          "Keeps what may be lost at a reboot");
  AddPath(app, "--socket", config.socket,
          "The API's socket (default: api.sock in the runtime directory)");
  app.add_option("--http-address", config.http_address,
                 "Loopback address:port of metrics; port 0: any; '': none")
      ->check(CLI::Validator(CheckHttpAddress, "ADDRESS:PORT"))
      ->type_name("")
      ->capture_default_str();
  app.add_option("--placement", names.placement,
                 "Which cgroups users have: adopt those that systemd made, own "
                 "ones that processes are moved to, or auto: adopt, if it fits")
      ->check(CLI::IsMember({"auto", "adopt", "own"}))
      ->type_name("")
      ->capture_default_str();
  AddPath(app, "--proc-root", config.proc_root, "Where procfs is mounted");
  AddPath(app, "--cgroup-parent", names.cgroup_parent,
          "Cgroup to make the daemon's tree in, below the mounts (default: the "
          "daemon's own under systemd, else their root)");
  app.add_option("--mode", names.mode, "Mode to begin with")
      ->check(CLI::IsMember({"observe", "enforce"}))
      ->type_name("")
      ->capture_default_str();
  app.add_option("--log-level", names.log_level, "The lowest that is logged")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}))
      ->type_name("")
      ->capture_default_str();
}

std::string WithoutSlash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

void Resolve(const Names& names, Config& config) {
  config.placement = names.placement == "own"     ? Placement::kOwn
                     : names.placement == "adopt" ? Placement::kAdopt
                                                  : Placement::kAuto;
  config.mode =
      names.mode == "enforce" ? core::Mode::kEnforce : core::Mode::kObserve;
  config.log_level = ParseLogLevel(names.log_level).value_or(config.log_level);
  for (std::string* path : {&config.state_dir, &config.runtime_dir,
                            &config.socket, &config.proc_root}) {
    *path = WithoutSlash(std::move(*path));
  }
  if (!names.cgroup_parent.empty()) {
    const std::string parent = WithoutSlash(names.cgroup_parent);
    config.cgroup_parent = parent == "/" ? "" : parent;
  }
  if (config.socket.empty()) config.socket = config.runtime_dir + "/api.sock";
}

}  // namespace

CommandLine ParseCommandLine(int argc, const char* const* argv) {
  Config config;
  Names names;
  bool release = false;
  bool version = false;
  CLI::App app("Shares this node's CPU fairly among its users.", "fairschedd");
  AddOptions(app, config, names);
  CLI::Option* release_flag = app.add_flag(
      "--release", release, "Give back what an earlier daemon left, and exit");
  app.add_flag("--version", version, "Show the version, and exit")
      ->excludes(release_flag);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    const int code = app.exit(error, out, out);
    return {.text = out.str(), .exit_code = code == 0 ? 0 : kUsageError};
  }
  Resolve(names, config);
  if (release) config.action = Config::Action::kRelease;
  if (version) config.action = Config::Action::kVersion;
  return {.config = std::move(config)};
}

}  // namespace fairsched::server
