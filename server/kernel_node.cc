// SPDX-License-Identifier: Apache-2.0
#include "server/kernel_node.h"

#include <unistd.h>

#include <optional>
#include <utility>

#include "absl/time/clock.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/hierarchies.h"
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

}  // namespace

struct KernelNode::Parts {
  absl::Status why_observe_only;
  kernel::Hierarchies hierarchies;
  kernel::NodeCounters counters;
  kernel::TreeDeps tree;
  kernel::Classifier::Options classifier;
  std::string journal_path;
};

absl::StatusOr<std::unique_ptr<KernelNode>> KernelNode::Make(
    kernel::FileSystem& fs, const runtime::Clock& clock,
    const KernelOptions& options, std::shared_ptr<const core::Policy> policy) {
  kernel::Hierarchies hierarchies;
  std::optional<kernel::TreeLayout> layout;
  absl::Status why;
  const absl::StatusOr<kernel::Hierarchies> found =
      kernel::FindHierarchies(fs, options.proc_root);
  if (!found.ok()) {
    why = found.status();
  } else {
    hierarchies = *found;
    if (!options.may_place) {
      why = absl::FailedPreconditionError(
          "processes may not be moved: start with --placement own");
    } else {
      ASSIGN_OR_RETURN(
          layout, kernel::TreeLayout::Make(hierarchies, options.cgroup_parent));
    }
  }
  ASSIGN_OR_RETURN(
      kernel::NodeCounters counters,
      kernel::NodeCounters::Open(fs, hierarchies,
                                 {.proc_root = options.proc_root,
                                  .cpus_online = options.cpus_online}));
  Parts parts{.why_observe_only = std::move(why),
              .hierarchies = std::move(hierarchies),
              .counters = std::move(counters),
              .tree = MakeTreeDeps(fs, clock, options),
              .classifier = {.layout = std::move(layout),
                             .agent_pid = options.agent_pid,
                             .user_hz = sysconf(_SC_CLK_TCK)},
              .journal_path = options.journal_path};
  return std::unique_ptr<KernelNode>(
      new KernelNode(std::move(parts), fs, std::move(policy)));
}

KernelNode::KernelNode(Parts parts, kernel::FileSystem& fs,
                       std::shared_ptr<const core::Policy> policy)
    : why_observe_only_(std::move(parts.why_observe_only)),
      journal_(std::move(parts.journal_path)),
      classifier_(std::move(parts.tree), journal_, std::move(parts.classifier),
                  std::move(policy)),
      table_(fs, std::move(parts.hierarchies)),
      counters_(std::move(parts.counters)),
      sampler_({.population = classifier_, .table = table_, .node = counters_}),
      actuator_(table_) {}

void KernelNode::Start() {
  classifier_.Start();
  absl::StatusOr<std::unique_ptr<kernel::ProcessEvents>> events =
      kernel::OpenProcessEvents();
  // Without them newcomers are found by the scans alone.
  if (events.ok())
    watch_.emplace(*std::move(events), [this] { return classifier_.Hurry(); });
}

absl::Status KernelNode::Stop() {
  watch_.reset();
  return classifier_.Stop();
}

absl::StatusOr<kernel::ReleaseReport> ReleaseNode(
    kernel::FileSystem& fs, const runtime::Clock& clock,
    const KernelOptions& options) {
  ASSIGN_OR_RETURN(const kernel::Hierarchies hierarchies,
                   kernel::FindHierarchies(fs, options.proc_root));
  ASSIGN_OR_RETURN(
      const kernel::TreeLayout layout,
      kernel::TreeLayout::Make(hierarchies, options.cgroup_parent));
  kernel::DiskJournalFile journal(options.journal_path);
  return kernel::ReleaseFromJournal(MakeTreeDeps(fs, clock, options), journal,
                                    layout);
}

}  // namespace fairsched::server
