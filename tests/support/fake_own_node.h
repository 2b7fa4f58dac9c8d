// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_FAKE_OWN_NODE_H_
#define FAIRSCHED_TESTS_SUPPORT_FAKE_OWN_NODE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "agent/core/policy.h"
#include "agent/kernel/classifier.h"
#include "agent/kernel/dissolve.h"
#include "agent/kernel/hierarchies.h"
#include "agent/kernel/tree_layout.h"
#include "agent/runtime/clock.h"
#include "tests/support/fake_cgroup_fs.h"
#include "tests/support/fake_proc.h"
#include "tests/support/memory_journal_file.h"

namespace fairsched::testing {

// A node with two cgroup v1 trees, or one v2 tree, for what works on our own
// tree. Time passes by pauses only. Not thread-safe.
class FakeOwnNode {
 public:
  static constexpr int64_t kAgentPid = 500;
  static constexpr int64_t kAlice = 1001;
  static constexpr int64_t kBob = 1002;

  explicit FakeOwnNode(kernel::Backend backend)
      : hierarchies(Mount(backend, cgroups)),
        proc(cgroups, MountsOf(hierarchies)) {
    proc.Spawn({.pid = 1, .ruid = 0, .ppid = 0, .name = "init"});
    proc.Spawn({.pid = kAgentPid, .ruid = 0, .name = "fairschedd"});
  }

  kernel::TreeDeps Deps() {
    return {.fs = proc, .clock = clock, .pause = [this](absl::Duration time) {
              clock.now += time;
            }};
  }
  kernel::TreeLayout Layout(const std::string& parent = "") const {
    return *kernel::TreeLayout::Make(hierarchies, parent);
  }
  kernel::Classifier::Options Options() const {
    return {.layout = Layout(), .agent_pid = kAgentPid, .user_hz = 100};
  }
  static std::shared_ptr<const core::Policy> Policy(core::Mode mode) {
    core::Settings settings;
    settings.mode = mode;
    return std::make_shared<const core::Policy>(
        settings, std::vector<core::UserPolicy>());
  }
  void MakeCgroup(const std::string& path) {
    for (const std::string& mount : hierarchies.Mounts())
      cgroups.MakeDirectory(mount + path).IgnoreError();
  }
  bool HasCgroup(const std::string& path) {
    bool has = false;
    for (const std::string& mount : hierarchies.Mounts())
      has |= cgroups.Inode(mount + path).ok();
    return has;
  }
  // Where `pid` is in the tree with the cpu controller.
  std::string Where(int64_t pid) { return proc.CgroupOf(pid, hierarchies.cpu); }
  std::string WhereAcct(int64_t pid) {
    return proc.CgroupOf(pid, hierarchies.cpuacct);
  }

  class ManualClock final : public runtime::Clock {
   public:
    absl::Duration Now() const override { return now; }
    absl::Time WallTime() const override { return absl::UnixEpoch() + now; }
    absl::Duration now = absl::Seconds(100);
  };

  FakeCgroupFs cgroups;
  const kernel::Hierarchies hierarchies;
  FakeProc proc;
  MemoryJournalFile journal;
  ManualClock clock;

 private:
  static kernel::Hierarchies Mount(kernel::Backend backend, FakeCgroupFs& fs) {
    if (backend == kernel::Backend::kUnified) {
      fs.MountUnified("/cg", {"cpu", "memory"});
      return {.backend = backend, .cpu = "/cg"};
    }
    fs.MountLegacy("/cg/cpu", {"cpu"});
    fs.MountLegacy("/cg/cpuacct", {"cpuacct"});
    return {.backend = backend, .cpu = "/cg/cpu", .cpuacct = "/cg/cpuacct"};
  }
  static std::vector<FakeProc::Mount> MountsOf(
      const kernel::Hierarchies& hierarchies) {
    if (hierarchies.backend == kernel::Backend::kUnified)
      return {{hierarchies.cpu, "0:"}};
    return {{hierarchies.cpu, "1:cpu"}, {hierarchies.cpuacct, "2:cpuacct"}};
  }
};

}  // namespace fairsched::testing

#endif  // FAIRSCHED_TESTS_SUPPORT_FAKE_OWN_NODE_H_
