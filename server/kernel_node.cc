// SPDX-License-Identifier: Apache-2.0
#include "server/kernel_node.h"

#include <unistd.h>

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/adopted_actuator.h"
#include "agent/kernel/adopted_sampler.h"
#include "agent/kernel/hierarchies.h"
#include "agent/kernel/init_system.h"
#include "agent/kernel/inotify_watch.h"
#include "agent/kernel/node_sampler.h"
#include "agent/kernel/own_parent.h"
#include "agent/kernel/tree_layout.h"

namespace fairsched::server {
namespace {

kernel::TreeDeps MakeTreeDeps(kernel::FileSystem& fs,
                              const runtime::Clock& clock,
                              const KernelOptions& options) {
  return {.fs = fs,
          .clock = clock,
          .pause = [](absl::Duration time) { absl::SleepFor(time); },
          .proc_root = options.proc_root};
}

// The placement that was asked for, or the one that fits. FailedPrecondition:
// why this node can be observed only.
absl::StatusOr<Placement> PlacementOn(kernel::FileSystem& fs,
                                      const kernel::Hierarchies& hierarchies,
                                      const KernelOptions& options) {
  const bool unified = hierarchies.backend == kernel::Backend::kUnified;
  switch (options.placement) {
    case Placement::kOwn:
      return Placement::kOwn;
    case Placement::kAdopt:
      if (unified) return Placement::kAdopt;
      return absl::FailedPreconditionError(absl::StrCat(
          "--placement adopt needs the cpu controller in the cgroup v2 tree, "
          "and it is in the v1 tree at ",
          hierarchies.cpu,
          ": boot with systemd.unified_cgroup_hierarchy=1, or start with "
          "--placement own"));
    case Placement::kAuto:
      break;
  }
  const bool is_systemd =
      kernel::IsSystemd(fs, options.proc_root).value_or(false);
  if (unified && is_systemd) return Placement::kAdopt;
  return absl::FailedPreconditionError(absl::StrCat(
      "no placement fits by itself, as ",
      unified ? "PID 1 is not systemd" : "the cpu controller is in a v1 tree",
      ": start with --placement own to have processes moved"));
}

// Where systemd keeps the cgroups, the root is not ours to make any in.
absl::StatusOr<kernel::TreeLayout> MakeLayout(
    kernel::FileSystem& fs, const KernelOptions& options,
    const kernel::Hierarchies& hierarchies) {
  std::string parent = options.cgroup_parent.value_or("");
  if (!options.cgroup_parent.has_value() &&
      kernel::IsSystemd(fs, options.proc_root).value_or(false)) {
    ASSIGN_OR_RETURN(parent,
                     kernel::UnitCgroup(fs, options.proc_root, hierarchies));
  }
  return kernel::TreeLayout::Make(hierarchies, std::move(parent));
}

}  // namespace

struct KernelNode::Parts {
  absl::Status why_observe_only;
  std::string journal_path;
  kernel::Hierarchies hierarchies;
  kernel::NodeCounters counters;
};

absl::StatusOr<std::unique_ptr<KernelNode>> KernelNode::Make(
    kernel::FileSystem& fs, const runtime::Clock& clock,
    const KernelOptions& options, std::shared_ptr<const core::Policy> policy) {
  const absl::StatusOr<kernel::Hierarchies> found =
      kernel::FindHierarchies(fs, options.proc_root);
  const kernel::Hierarchies hierarchies = found.value_or(kernel::Hierarchies());
  const absl::StatusOr<Placement> placement =
      found.ok() ? PlacementOn(fs, hierarchies, options) : found.status();
  std::optional<kernel::TreeLayout> layout;
  if (placement.ok() && *placement == Placement::kOwn) {
    ASSIGN_OR_RETURN(layout, MakeLayout(fs, options, hierarchies));
  }
  ASSIGN_OR_RETURN(
      kernel::NodeCounters counters,
      kernel::NodeCounters::Open(fs, hierarchies,
                                 {.proc_root = options.proc_root,
                                  .cpus_online = options.cpus_online}));
  std::unique_ptr<KernelNode> node(
      new KernelNode({.why_observe_only = placement.status(),
                      .journal_path = options.journal_path,
                      .hierarchies = hierarchies,
                      .counters = std::move(counters)},
                     fs));
  if (placement.ok() && *placement == Placement::kAdopt) {
    RETURN_IF_ERROR(node->Adopt(MakeTreeDeps(fs, clock, options), hierarchies,
                                {.mount = hierarchies.cpu,
                                 .proc_root = options.proc_root,
                                 .agent_pid = options.agent_pid},
                                std::move(policy)));
  } else {
    node->PlaceOwn(MakeTreeDeps(fs, clock, options),
                   {.layout = std::move(layout),
                    .agent_pid = options.agent_pid,
                    .user_hz = sysconf(_SC_CLK_TCK)},
                   std::move(policy));
  }
  return node;
}

KernelNode::KernelNode(Parts parts, kernel::FileSystem& fs)
    : why_observe_only_(std::move(parts.why_observe_only)),
      journal_(std::move(parts.journal_path)),
      table_(fs, std::move(parts.hierarchies)),
      counters_(std::move(parts.counters)),
      watch_(kernel::OpenInotifyWatch().value_or(nullptr)) {}

void KernelNode::PlaceOwn(kernel::TreeDeps tree,
                          kernel::Classifier::Options options,
                          std::shared_ptr<const core::Policy> policy) {
  auto classifier = std::make_unique<kernel::Classifier>(
      std::move(tree), journal_, std::move(options), std::move(policy));
  sampler_ = std::make_unique<kernel::NodeSampler>(kernel::NodeSampler::Deps{
      .population = *classifier, .table = table_, .node = counters_});
  placer_ = std::move(classifier);
  wants_uid_hints_ = true;
  cgroup_actuator_.emplace(
      kernel::CgroupActuator::Deps{.table = table_, .watch = watch_.get()});
  actuator_ = &*cgroup_actuator_;
}

absl::Status KernelNode::Adopt(const kernel::TreeDeps& tree,
                               const kernel::Hierarchies& hierarchies,
                               kernel::Adopter::Options options,
                               std::shared_ptr<const core::Policy> policy) {
  // A predecessor that crashed, in either placement.
  ASSIGN_OR_RETURN(const kernel::TreeLayout layout,
                   kernel::TreeLayout::Make(hierarchies, ""));
  ASSIGN_OR_RETURN(const kernel::ReleaseReport left,
                   kernel::ReleaseFromJournal(tree, journal_, layout));
  left_over_ = left.journal_problem;
  left_over_.Update(left.ToStatus());
  auto adopter = std::make_unique<kernel::Adopter>(
      tree.fs, tree.clock, std::move(options), std::move(policy));
  sampler_ =
      std::make_unique<kernel::AdoptedSampler>(kernel::AdoptedSampler::Deps{
          .adoption = *adopter, .table = table_, .node = counters_});
  originals_.emplace(tree.fs, hierarchies, tree.proc_root, journal_);
  cgroup_actuator_.emplace(kernel::CgroupActuator::Deps{
      .table = table_, .originals = &*originals_, .watch = watch_.get()});
  adopted_actuator_ =
      std::make_unique<kernel::AdoptedActuator>(*cgroup_actuator_, *adopter);
  actuator_ = adopted_actuator_.get();
  placer_ = std::move(adopter);
  return absl::OkStatus();
}

absl::Status KernelNode::Round() {
  if (originals_.has_value()) originals_->Work();
  return placer_->Round();
}

void KernelNode::Start() {
  placer_->Start();
  if (originals_.has_value()) originals_->Start();
  if (!wants_uid_hints_) return;
  absl::StatusOr<std::unique_ptr<kernel::ProcessEvents>> events =
      kernel::OpenProcessEvents();
  // Without them newcomers are found by the scans alone.
  if (events.ok())
    uid_watch_.emplace(*std::move(events), [this] { return placer_->Hurry(); });
}

absl::Status KernelNode::Stop() {
  uid_watch_.reset();
  if (originals_.has_value()) originals_->Stop();
  return placer_->Stop();
}

absl::StatusOr<kernel::ReleaseReport> ReleaseNode(
    kernel::FileSystem& fs, const runtime::Clock& clock,
    const KernelOptions& options) {
  ASSIGN_OR_RETURN(const kernel::Hierarchies hierarchies,
                   kernel::FindHierarchies(fs, options.proc_root));
  ASSIGN_OR_RETURN(const kernel::TreeLayout layout,
                   MakeLayout(fs, options, hierarchies));
  kernel::DiskJournalFile journal(options.journal_path);
  return kernel::ReleaseFromJournal(MakeTreeDeps(fs, clock, options), journal,
                                    layout);
}

}  // namespace fairsched::server
