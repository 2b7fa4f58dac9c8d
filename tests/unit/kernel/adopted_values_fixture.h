// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_UNIT_KERNEL_ADOPTED_VALUES_FIXTURE_H_
#define FAIRSCHED_TESTS_UNIT_KERNEL_ADOPTED_VALUES_FIXTURE_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "agent/kernel/cgroup_actuator.h"
#include "agent/kernel/originals.h"
#include "agent/kernel/restore.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"
#include "tests/support/fake_modify_watch.h"
#include "tests/support/memory_journal_file.h"

namespace fairsched::kernel {

// Slices of users in systemd's tree, and the actuator that writes to them.
class AdoptedValuesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs_.MountUnified("/v2", {"cpu"});
    fs_.Put("/proc/sys/kernel/random/boot_id", "boot-1\n");
    ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "+cpu").ok());
    Make("user.slice");
    ASSERT_TRUE(
        fs_.Write("/v2/user.slice/cgroup.subtree_control", "+cpu").ok());
    fs_.TakeWrites();
  }
  void Make(const std::string& path) {
    ASSERT_TRUE(fs_.MakeDirectory("/v2/" + path).ok());
  }
  // A slice that has a user, with what its operator has set.
  void Adopt(const std::string& name,
             const std::map<std::string, std::string>& own = {}) {
    Make("user.slice/" + name);
    for (const auto& [file, text] : own) Meddle(name, file, text);
    wanted_[name] = core::CpuValues();
  }
  static std::string Path(const std::string& name) {
    return "/user.slice/" + name;
  }
  static std::string File(const std::string& name, const std::string& file) {
    return "/v2" + Path(name) + "/" + file;
  }
  uint64_t Inode(const std::string& name) {
    return fs_.Inode("/v2" + Path(name)).value();
  }
  std::string Get(const std::string& name, const std::string& file) {
    return fs_.Read(File(name, file)).value_or("unreadable");
  }
  // Another writer's; the log shows only ours.
  void Meddle(const std::string& name, const std::string& file,
              const std::string& text) {
    ASSERT_TRUE(fs_.Write(File(name, file), text).ok());
    fs_.TakeWrites();
  }
  // As systemd applies what it has of a unit.
  void Realize(const std::string& name, const std::string& weight = "100",
               const std::string& max = "max 100000") {
    Meddle(name, "cpu.idle", "0");
    Meddle(name, "cpu.weight", weight);
    Meddle(name, "cpu.max", max);
  }
  runtime::ApplyReport Tick() {
    core::Decision decision;
    now_ += absl::Milliseconds(100);
    decision.at = now_;
    decision.node.elapsed = absl::Milliseconds(100);
    for (const auto& [name, values] : wanted_) {
      core::UserDecision user;
      user.id = name;
      user.cgroups = {
          {.inode = table_.Read(Path(name))->inode, .wanted = values}};
      decision.users.push_back(std::move(user));
    }
    const runtime::ApplyReport report = actuator_.Apply(decision);
    originals_.Work();
    return report;
  }
  void WantWeight(const std::string& name, int32_t weight) {
    wanted_[name].weight = weight;
    wanted_[name].idle = false;
  }
  void WantCeiling(const std::string& name, int64_t quota_usec) {
    wanted_[name].ceiling = {.quota = core::CpuTime::Usec(quota_usec),
                             .period = absl::Milliseconds(100),
                             .burst = core::CpuTime::Usec(1000)};
  }
  // What `--release` does after a crash.
  RestoreReport Restore() {
    return RestoreValues(fs_, Backend::kUnified, Journal());
  }
  JournalEntries Journal() {
    return ParseJournal("j", journal_.text.value()).value();
  }
  runtime::AppliedCgroup Of(const runtime::ApplyReport& report,
                            const std::string& name) {
    return report.cgroups.at(Inode(name));
  }

  testing::FakeCgroupFs fs_;
  testing::FakeModifyWatch watch_{fs_};
  testing::MemoryJournalFile journal_;
  const Hierarchies hierarchies_{
      .backend = Backend::kUnified, .cpu = "/v2", .cpuacct = "", .unified = ""};
  CgroupTable table_{fs_, hierarchies_};
  Originals originals_{fs_, hierarchies_, "/proc", journal_};
  CgroupActuator actuator_{
      {.table = table_, .originals = &originals_, .watch = &watch_}};
  std::map<std::string, core::CpuValues> wanted_;
  absl::Duration now_ = absl::Seconds(1000);
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_TESTS_UNIT_KERNEL_ADOPTED_VALUES_FIXTURE_H_
