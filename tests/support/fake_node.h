// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_FAKE_NODE_H_
#define FAIRSCHED_TESTS_SUPPORT_FAKE_NODE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "agent/runtime/mutex.h"
#include "agent/runtime/node.h"

namespace fairsched::testing {

// A node on which each user uses as much CPU as the test says, whatever it was
// told to do. Takes every value, except where the test says otherwise.
// Thread-safe.
class FakeNode final : public runtime::Sampler,
                       public runtime::Actuator,
                       public runtime::Placement {
 public:
  struct User {
    double cpus = 0;  // that it uses
    std::optional<int64_t> threads;
    bool sampled = false;
    std::optional<runtime::NotEnforced> problem;  // with its values
  };

  explicit FakeNode(double cpus) : cpus_(cpus) {}

  void Set(const core::UserId& id, const User& user) {
    runtime::MutexLock lock(mutex_);
    Cgroup& cgroup = users_[id];
    if (cgroup.inode == 0) cgroup.inode = ++last_inode_;
    cgroup.user = user;
  }
  void Remove(const core::UserId& id) {
    runtime::MutexLock lock(mutex_);
    users_.erase(id);
  }
  // Every sample fails with it; OK: none.
  void FailSamples(absl::Status error) {
    runtime::MutexLock lock(mutex_);
    error_ = std::move(error);
  }
  // Whether a release leaves the cgroups where they are.
  void SetStuck(bool stuck) {
    runtime::MutexLock lock(mutex_);
    stuck_ = stuck;
  }

  absl::StatusOr<core::Sample> Take(const core::Policy&,
                                    absl::Duration now) override {
    runtime::MutexLock lock(mutex_);
    if (!error_.ok()) return error_;
    const absl::Duration elapsed =
        last_.has_value() ? now - *last_ : absl::ZeroDuration();
    last_ = now;
    core::Sample sample{.at = now, .node = {.cpus = cpus_}};
    for (auto& [id, cgroup] : users_) {
      const auto used = core::CpuTime::Of(cgroup.user.cpus, elapsed);
      cgroup.usage += used;
      busy_ += used;
      sample.users.push_back(
          {.id = id,
           .cgroups = {{.inode = cgroup.inode, .usage = cgroup.usage}},
           .threads = cgroup.user.threads,
           .processes = cgroup.user.threads,
           .sampled = cgroup.user.sampled});
    }
    sample.node.busy = busy_;
    return sample;
  }

  runtime::ApplyReport Apply(const core::Decision& decision) override {
    runtime::MutexLock lock(mutex_);
    placing_ = true;
    report_.cgroups.clear();
    for (const core::UserDecision& user : decision.users) {
      for (const core::CgroupDecision& cgroup : user.cgroups) {
        ApplyOne(user.id, cgroup);
      }
    }
    report_.writes["cpu.weight"].done += 1;
    report_.reads += 1;
    return report_;
  }
  core::UseSample TakeUse(const std::vector<uint64_t>&,
                          absl::Duration now) override {
    return {.at = now};
  }
  void Adjust(const std::vector<core::CgroupDecision>&,
              absl::Duration) override {}
  runtime::ApplyReport Release() override {
    runtime::MutexLock lock(mutex_);
    placing_ = stuck_;
    report_.cgroups.clear();
    return report_;
  }

  std::shared_ptr<const runtime::PlacementReport> Report() const override {
    runtime::MutexLock lock(mutex_);
    runtime::PlacementReport report;
    report.backend = "legacy";
    report.placement = "own";
    report.root = "/fairsched";
    report.placing = placing_;
    report.cgroups = placing_ ? static_cast<int64_t>(users_.size()) : 0;
    report.features = {"cpu.idle"};
    return std::make_shared<const runtime::PlacementReport>(std::move(report));
  }

 private:
  struct Cgroup {
    uint64_t inode = 0;
    User user;
    core::CpuTime usage;
  };

  void ApplyOne(const core::UserId& id, const core::CgroupDecision& cgroup)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const auto it = users_.find(id);
    if (it == users_.end()) return;
    runtime::AppliedCgroup applied = {
        .path = absl::StrCat("/fairsched/users/", id),
        .values = cgroup.wanted,
        .problem = it->second.user.problem};
    if (applied.problem.has_value()) {
      applied.values.reset();
      applied.problem_text =
          absl::StrCat("write ", applied.path, "/cpu.weight: refused");
    }
    report_.cgroups[cgroup.inode] = std::move(applied);
  }

  const double cpus_;
  mutable runtime::Mutex mutex_;
  uint64_t last_inode_ ABSL_GUARDED_BY(mutex_) = 100;
  std::map<core::UserId, Cgroup> users_ ABSL_GUARDED_BY(mutex_);
  core::CpuTime busy_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Duration> last_ ABSL_GUARDED_BY(mutex_);
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
  bool placing_ ABSL_GUARDED_BY(mutex_) = false;
  bool stuck_ ABSL_GUARDED_BY(mutex_) = false;
  runtime::ApplyReport report_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fairsched::testing

#endif  // FAIRSCHED_TESTS_SUPPORT_FAKE_NODE_H_
