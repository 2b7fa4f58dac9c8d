// SPDX-License-Identifier: Apache-2.0
#include "server/daemon.h"

#include <sys/stat.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/journal.h"
#include "server/name_service.h"
#include "server/resource_name.h"

namespace fairsched::server {
namespace {

std::string Sentence(runtime::Enforcement enforcement,
                     const absl::Status& error) {
  switch (enforcement) {
    case runtime::Enforcement::kObserving:
      return "observing: nothing is written to the kernel";
    case runtime::Enforcement::kEnforcing:
      return "enforcing";
    case runtime::Enforcement::kReleased:
      return absl::StrCat("NOT enforcing, every value was given back: ",
                          error.message());
  }
  return "";
}

}  // namespace

absl::StatusOr<std::unique_ptr<Daemon>> Daemon::Start(
    const Deps& deps, const DaemonOptions& options) {
  const auto policy = std::make_shared<const core::Policy>(
      options.settings, std::vector<core::UserPolicy>{});
  ASSIGN_OR_RETURN(
      std::unique_ptr<KernelNode> node,
      KernelNode::Make(deps.fs, deps.clock, options.kernel, policy));
  const absl::Status& why = node->why_observe_only();
  if (!why.ok() && options.settings.mode == core::Mode::kEnforce) {
    return absl::FailedPreconditionError(
        absl::StrCat("this node can't be enforced: ", why.message()));
  }
  std::unique_ptr<Daemon> daemon(new Daemon(deps, options, std::move(node)));
  const absl::Status& left = daemon->node_->left_over();
  if (!left.ok()) {
    deps.logger.Log(
        LogLevel::kWarning,
        absl::StrCat("what an earlier daemon left: ", left.message()));
  }
  RETURN_IF_ERROR(daemon->Serve(options));
  return daemon;
}

Daemon::Daemon(const Deps& deps, const DaemonOptions& options,
               std::unique_ptr<KernelNode> node)
    : deps_(deps),
      break_glass_(options.break_glass),
      node_(std::move(node)),
      store_(deps.clock,
             {.settings = options.settings,
              .why_not_enforce = node_->why_observe_only()},
             [this](std::shared_ptr<const core::Policy> policy, uint64_t) {
               node_->SetPolicy(policy);
               using Kind = core::Selector::Kind;
               names_.SetNames(
                   core::NamesIn(policy->users(), Kind::kLogin),
                   core::NamesIn(policy->users(), Kind::kUnixGroup));
               loop_.SetPolicy(std::move(policy));
             }),
      loop_({.clock = deps.clock,
             .sampler = node_->sampler(),
             .actuator = node_->actuator()},
            store_.Read()->policy),
      names_(deps.clock, NodeNameService(),
             [this](core::KnownNames names) {
               store_.SetNames(std::move(names));
             }),
      controller_requests_(deps.clock, deps.reload_units) {
  ResumeAccounts(options);
}

Daemon::~Daemon() { Stop().IgnoreError(); }  // the caller was told before

absl::Status Daemon::Serve(const DaemonOptions& options) {
  const absl::Time start_time = deps_.clock.WallTime();
  LookForBreakGlass();
  RETURN_IF_ERROR(node_->Round());
  ASSIGN_OR_RETURN(api_, ApiServer::Start({.clock = deps_.clock,
                                           .loop = loop_,
                                           .placement = node_->placement(),
                                           .store = store_,
                                           .rpc_stats = rpc_stats_},
                                          {.start_time = start_time}));
  metrics_.emplace(
      Metrics::Deps{.loop = loop_,
                    .placement = node_->placement(),
                    .store = store_,
                    .rpc_stats = rpc_stats_},
      Metrics::Options{.start_time = start_time,
                       .watchers = [this] { return api_->watchers(); }});
  Tick();
  if (loop_.Latest()->stats.failed_ticks > 0) return loop_.Latest()->last_error;

  if (!options.http_address.empty()) {
    ASSIGN_OR_RETURN(
        http_,
        HttpServer::Start(
            options.http_address,
            {.metrics = [this] { return metrics_->Text(); },
             .ready = [this] { return loop_.Latest()->stats.ticks > 0; }}));
  }
  ASSIGN_OR_RETURN(listener_,
                   ApiListener::Start({.path = options.socket}, [this](int fd) {
                     api_->AddConnection(fd);
                   }));
  node_->Start();
  if (checkpoints_.has_value()) {
    checkpoints_->Start(
        [this] { return loop_.LatestCheckpoint(); },
        [this](const absl::Status& status) {
          deps_.logger.LogSometimes(
              LogLevel::kWarning, "checkpoint",
              absl::StrCat("accounts can't be kept: ", status.message()));
        });
  }
  ticker_.emplace(
      deps_.clock, [this] { return loop_.Pause(); }, [this] { Tick(); });
  EverySecond();
  return absl::OkStatus();
}

void Daemon::Tick() {
  if (!loop_.Turn()) return;
  metrics_->AddTick();
  deps_.manager.Alive();
}

void Daemon::ResumeAccounts(const DaemonOptions& options) {
  if (options.checkpoint_path.empty()) return;
  const absl::StatusOr<std::string> boot_id =
      kernel::ReadBootId(deps_.fs, options.kernel.proc_root);
  absl::Status problem = boot_id.status();
  if (boot_id.ok()) {
    checkpoints_.emplace(options.checkpoint_path, *boot_id);
    const std::optional<core::Checkpoint> last =
        checkpoints_->Load(deps_.clock.Now(), &problem);
    if (last.has_value()) loop_.Resume(*last);
  }
  if (!problem.ok()) {
    deps_.logger.Log(LogLevel::kWarning,
                     absl::StrCat("accounts of before: ", problem.message()));
  }
}

// For when the API is of no help. Whoever may make the file is root.
void Daemon::LookForBreakGlass() {
  struct stat file = {};
  const bool is_there = lstat(break_glass_.c_str(), &file) == 0;
  store_.HoldObserving(is_there ? absl::StrCat(break_glass_, " is there")
                                : std::string());
}

void Daemon::EndOverrides() {
  const std::vector<core::UserId> expired = store_.ExpireOverrides();
  if (expired.empty()) return;
  deps_.logger.Log(
      LogLevel::kInfo,
      absl::StrCat("over: ", OverrideName(expired.front()),
                   expired.size() == 1
                       ? ""
                       : absl::StrCat(" and ", expired.size() - 1, " more")));
}

void Daemon::EverySecond() {
  LookForBreakGlass();
  EndOverrides();
  names_.SetUids(node_->placement().Report()->uids);
  api_->Refresh();
  LogChanges(*loop_.Latest());
  deps_.logger.Summarize();
}

void Daemon::MissController(const runtime::Snapshot& snapshot) {
  const int64_t lost = runtime::WithoutController(snapshot.applied);
  if (logged_no_controller_ != (lost > 0)) {
    logged_no_controller_ = lost > 0;
    deps_.logger.LogSometimes(
        lost > 0 ? LogLevel::kError : LogLevel::kInfo, "controller",
        lost > 0 ? absl::StrCat("the cpu controller is off in ", lost,
                                " cgroups: usage is measured, and nothing is "
                                "enforced there")
                 : "the cpu controller is back: all is enforced again");
  }
  const bool wanted = snapshot.enforcement == runtime::Enforcement::kEnforcing;
  const std::optional<absl::Status> asked =
      controller_requests_.Update(wanted ? lost : 0);
  if (!asked.has_value()) return;
  deps_.logger.LogSometimes(
      asked->ok() ? LogLevel::kInfo : LogLevel::kError, "controller request",
      asked->ok() ? "the service manager is asked for the cpu controller"
                  : absl::StrCat("the service manager can't be asked for the "
                                 "cpu controller: ",
                                 asked->message()));
}

void Daemon::LogChanges(const runtime::Snapshot& snapshot) {
  MissController(snapshot);
  if (logged_enforcement_ != snapshot.enforcement) {
    logged_enforcement_ = snapshot.enforcement;
    const bool released =
        snapshot.enforcement == runtime::Enforcement::kReleased;
    const std::string sentence =
        Sentence(snapshot.enforcement, snapshot.last_error);
    deps_.logger.Log(released ? LogLevel::kError : LogLevel::kInfo, sentence);
    deps_.manager.Status(sentence);
  }
  const std::string error(node_->placement().Report()->last_error.message());
  if (error != logged_placement_error_) {
    logged_placement_error_ = error;
    if (error.empty()) {
      deps_.logger.LogSometimes(LogLevel::kInfo, "placement",
                                "placement works again");
    } else {
      deps_.logger.LogSometimes(
          LogLevel::kWarning, "placement",
          absl::StrCat(error, "; trying again with the next scan"));
    }
  }
}

std::optional<int> Daemon::http_port() const {
  if (http_ == nullptr) return std::nullopt;
  return http_->port();
}

absl::Status Daemon::Stop() {
  if (std::exchange(stopped_, true)) return absl::OkStatus();
  if (ticker_.has_value()) ticker_->Stop();
  loop_.Stop();
  absl::Status restored = node_->Stop();
  if (checkpoints_.has_value()) checkpoints_->Stop();
  if (listener_ != nullptr) listener_->Stop();
  if (api_ != nullptr) api_->Stop();
  if (http_ != nullptr) http_->Stop();
  return restored;
}

}  // namespace fairsched::server
