// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/init_system.h"
#include "agent/kernel/real_file_system.h"
#include "agent/runtime/clock.h"
#include "server/config.h"
#include "server/daemon.h"
#include "server/daemon_release.h"
#include "server/grpc_log.h"
#include "server/instance_lock.h"
#include "server/kernel_node.h"
#include "server/logger.h"
#include "server/service_manager.h"
#include "server/uid_ranges.h"

namespace fairsched::server {
namespace {

constexpr int kFailed = 1;
// This node will never do: starting again is of no use.
constexpr int kNeverWorks = 3;

std::string ReadOrEmpty(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

KernelOptions MakeKernelOptions(const Config& config) {
  return {.proc_root = config.proc_root,
          .cgroup_parent = config.cgroup_parent,
          .journal_path = config.runtime_dir + "/journal",
          .placement = config.placement,
          .agent_pid = getpid()};
}

absl::Status MakeRuntimeDir(const std::string& path) {
  if (mkdir(path.c_str(), 0755) == 0 || errno == EEXIST)
    return absl::OkStatus();
  return absl::ErrnoToStatus(errno, absl::StrCat("make directory ", path));
}

// Blocked in every thread, and waited for in one place.
sigset_t BlockSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return set;
}

int WaitForSignal(const sigset_t& signals, Daemon& daemon) {
  constexpr timespec kSecond = {.tv_sec = 1, .tv_nsec = 0};
  while (true) {
    const int signal = sigtimedwait(&signals, nullptr, &kSecond);
    if (signal > 0) return signal;
    daemon.EverySecond();
  }
}

// What `systemctl daemon-reload` does, by systemd(1)'s signal for it: a bus may
// hang, a signal can't.
absl::Status ReloadUnits() {
  constexpr pid_t kSystemd = 1;
  if (kill(kSystemd, SIGHUP) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, "signal PID 1");
}

absl::Status WriteHttpAddress(const Config& config, int port) {
  const std::string path = config.runtime_dir + "/http.address";
  std::ofstream file(path, std::ios::trunc);
  file << "127.0.0.1:" << port << "\n";
  file.close();
  if (file.fail()) return absl::UnavailableError("write " + path);
  return absl::OkStatus();
}

absl::Status Run(const Config& config, const Daemon::Deps& deps,
                 const sigset_t& signals) {
  RETURN_IF_ERROR(MakeRuntimeDir(config.runtime_dir));
  ASSIGN_OR_RETURN(const InstanceLock lock,
                   InstanceLock::Take(config.runtime_dir + "/lock"));
  core::Settings settings{.mode = config.mode};
  settings.uid_ranges =
      OrdinaryUids(ReadOrEmpty("/etc/login.defs"), ReadOrEmpty("/etc/subuid"));
  ASSIGN_OR_RETURN(const std::unique_ptr<Daemon> daemon,
                   Daemon::Start(deps, {.kernel = MakeKernelOptions(config),
                                        .settings = settings,
                                        .socket = config.socket,
                                        .http_address = config.http_address,
                                        .checkpoint_path = config.runtime_dir +
                                                           "/checkpoint"}));
  std::string ready = absl::StrCat(
      "fairschedd " FAIRSCHED_VERSION " answers at unix:", config.socket);
  if (const std::optional<int> port = daemon->http_port(); port.has_value()) {
    RETURN_IF_ERROR(WriteHttpAddress(config, *port));
    absl::StrAppend(&ready, " and http://127.0.0.1:", *port);
  }
  deps.logger.Log(LogLevel::kInfo, ready);
  deps.manager.Ready();
  const int signal = WaitForSignal(signals, *daemon);
  deps.manager.Stopping();
  deps.logger.Log(LogLevel::kInfo,
                  absl::StrCat("stopping on signal ", signal,
                               ": every value and process goes back"));
  return daemon->Stop();
}

absl::Status Release(const Config& config, const Daemon::Deps& deps) {
  // Without a runtime directory there is no journal, but maybe a tree.
  RETURN_IF_ERROR(MakeRuntimeDir(config.runtime_dir));
  ASSIGN_OR_RETURN(const InstanceLock lock,
                   InstanceLock::Take(config.runtime_dir + "/lock"));
  return ReleaseAndTell(deps.fs, deps.clock, deps.logger,
                        MakeKernelOptions(config));
}

int Main(int argc, const char* const* argv) {
  const CommandLine line = ParseCommandLine(argc, argv);
  if (!line.config.has_value()) {
    std::fputs(line.text.c_str(), line.exit_code == 0 ? stdout : stderr);
    return line.exit_code;
  }
  const Config& config = *line.config;
  if (config.action == Config::Action::kVersion) {
    std::puts("fairschedd " FAIRSCHED_VERSION);
    return 0;
  }
  umask(022);
  const sigset_t signals = BlockSignals();
  const runtime::SystemClock clock;
  Logger logger(clock,
                {.lowest = config.log_level, .for_journal = StderrIsJournal()},
                WriteToStderr);
  const GrpcLog grpc_log(logger);
  kernel::RealFileSystem fs;
  ServiceManager manager(clock, ServiceManager::FromEnvironment());
  Daemon::Deps deps{
      .fs = fs, .clock = clock, .logger = logger, .manager = manager};
  if (kernel::IsSystemd(fs, config.proc_root).value_or(false))
    deps.reload_units = ReloadUnits;
  const absl::Status status = config.action == Config::Action::kRelease
                                  ? Release(config, deps)
                                  : Run(config, deps, signals);
  logger.Flush();
  if (status.ok()) return 0;
  logger.Log(LogLevel::kError, status.message());
  return absl::IsFailedPrecondition(status) ? kNeverWorks : kFailed;
}

}  // namespace
}  // namespace fairsched::server

int main(int argc, char** argv) { return fairsched::server::Main(argc, argv); }
