// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CLASSIFIER_H_
#define FAIRSCHED_AGENT_KERNEL_CLASSIFIER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "agent/core/policy.h"
#include "agent/kernel/census.h"
#include "agent/kernel/journal_file.h"
#include "agent/kernel/own_tree.h"
#include "agent/kernel/placer.h"
#include "agent/kernel/population.h"
#include "agent/kernel/sampled_usage.h"
#include "agent/runtime/mutex.h"
#include "agent/runtime/node.h"
#include "agent/runtime/worker.h"

namespace fairsched::kernel {

// Finds out who runs what, and in enforce mode puts it into our own tree. In
// observe mode it moves nothing and has no cgroup: what there is of our tree
// is dissolved.
//
// Nothing else makes or removes cgroups or moves processes. Destroying it
// without Stop() leaves the tree as it is.
class Classifier final : public Placer, public PopulationSource {
 public:
  struct Options {
    // nullopt: this node has none for us, so it can only be observed.
    std::optional<TreeLayout> layout;
    int64_t agent_pid = 0;  // this process; 0: it stays where it is
    int64_t user_hz = 100;  // sysconf(_SC_CLK_TCK)
  };
  // `journal` must outlive it, as must what `deps` refers to.
  Classifier(TreeDeps deps, JournalFile& journal, Options options,
             std::shared_ptr<const core::Policy> policy);

  absl::Status Round() override ABSL_LOCKS_EXCLUDED(mutex_);
  void Start() override ABSL_LOCKS_EXCLUDED(mutex_);
  // Dissolves the tree.
  absl::Status Stop() override ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Duration Hurry() override ABSL_LOCKS_EXCLUDED(mutex_);
  // The next round comes at once if the mode is another.
  void SetPolicy(std::shared_ptr<const core::Policy> policy) override
      ABSL_LOCKS_EXCLUDED(mutex_);

  std::shared_ptr<const runtime::PlacementReport> Report() const override
      ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<const Population> Latest() const override
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  absl::Status Scan(const core::Policy& policy, absl::Duration at);
  absl::Status Settle(core::Mode mode);
  absl::Status Place(const Census& census, const ProcessScan& scan);
  void Sample(const Census& census);
  void PublishPopulation(const Census& census, absl::Duration at);
  void PublishReport(const absl::Status& status, absl::Duration took);
  absl::Status Dissolve();
  absl::Status ReleaseLeftover();

  const TreeDeps deps_;
  JournalFile& journal_;
  const Options options_;
  // Of Round() and Stop() only.
  std::optional<OwnTree> tree_;
  bool is_settled_ = false;  // nothing of a predecessor's is left to release
  SampledUsage usage_;
  runtime::PlacementReport progress_;

  mutable runtime::Mutex mutex_;
  std::shared_ptr<const core::Policy> policy_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const runtime::PlacementReport> report_
      ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Population> population_ ABSL_GUARDED_BY(mutex_);

  runtime::Worker worker_;  // last: its thread uses all of the above
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CLASSIFIER_H_
