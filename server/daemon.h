// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_DAEMON_H_
#define FAIRSCHED_SERVER_DAEMON_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/kernel/file_system.h"
#include "agent/runtime/clock.h"
#include "agent/runtime/control_loop.h"
#include "agent/runtime/ticker.h"
#include "server/api_listener.h"
#include "server/api_server.h"
#include "server/controller_requests.h"
#include "server/daemon_checkpoints.h"
#include "server/http_server.h"
#include "server/kernel_node.h"
#include "server/logger.h"
#include "server/metrics.h"
#include "server/name_resolver.h"
#include "server/policy_store.h"
#include "server/rpc_stats.h"
#include "server/service_manager.h"

namespace fairsched::server {

struct DaemonOptions {
  KernelOptions kernel;
  core::Settings settings;   // to begin with; valid
  std::string socket;        // of the API
  std::string http_address;  // loopback; empty: no HTTP
  // While this file is there the daemon observes, whatever mode is set.
  std::string break_glass = "/run/fairsched.disable";
  // Where accounts outlive the daemon; empty: nowhere.
  std::string checkpoint_path;
};

// The whole of it, running: node, loop, API and metrics. For one thread.
class Daemon {
 public:
  // What is referred to must outlive it. When it returns the first tick is
  // done and calls are answered. FailedPrecondition, if the mode is enforce and
  // this node can't. After an error nothing is left of it.
  struct Deps {
    kernel::FileSystem& fs;
    const runtime::Clock& clock;
    Logger& logger;
    ServiceManager& manager;
    // Makes the service manager apply its settings to all units, the cpu
    // controller among them, which it may have to be asked for; null: there is
    // none.
    std::function<absl::Status()> reload_units = nullptr;
  };
  static absl::StatusOr<std::unique_ptr<Daemon>> Start(
      const Deps& deps, const DaemonOptions& options);
  ~Daemon();  // calls Stop()
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  // What is due once a second: health, overrides that expire, and a line for
  // what changed.
  void EverySecond();

  // Gives everything back first, then ends the calls. Unavailable: cgroups are
  // left that `--release` has to remove. Idempotent.
  absl::Status Stop();

  // Of HTTP, if there is any.
  std::optional<int> http_port() const;

 private:
  Daemon(const Deps& deps, const DaemonOptions& options,
         std::unique_ptr<KernelNode> node);
  absl::Status Serve(const DaemonOptions& options);
  void Tick();
  void LookForBreakGlass();
  void EndOverrides();
  void ResumeAccounts(const DaemonOptions& options);
  void LogChanges(const runtime::Snapshot& now);
  void MissController(const runtime::Snapshot& now);

  const Deps deps_;
  const std::string break_glass_;
  std::unique_ptr<KernelNode> node_;
  PolicyStore store_;
  runtime::ControlLoop loop_;
  NameResolver names_;
  RpcStats rpc_stats_;
  std::optional<CheckpointKeeper> checkpoints_;
  std::unique_ptr<ApiServer> api_;
  std::optional<Metrics> metrics_;
  std::unique_ptr<ApiListener> listener_;
  std::unique_ptr<HttpServer> http_;
  std::optional<runtime::Ticker> ticker_;

  bool stopped_ = false;
  std::optional<runtime::Enforcement> logged_enforcement_;
  std::string logged_placement_error_;
  bool logged_no_controller_ = false;
  ControllerRequests controller_requests_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_DAEMON_H_
