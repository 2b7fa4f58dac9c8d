// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_UNIT_KERNEL_CGROUP_ACTUATOR_FIXTURE_H_
#define FAIRSCHED_TESTS_UNIT_KERNEL_CGROUP_ACTUATOR_FIXTURE_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "agent/core/decision.h"
#include "agent/kernel/cgroup_actuator.h"
#include "agent/kernel/cgroup_table.h"
#include "agent/runtime/node.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::kernel {

inline constexpr core::CpuValues kIdle = {.weight = 100, .idle = true};

inline core::CpuValues Weight(int32_t weight) {
  return {.weight = weight, .idle = false};
}

// Groups in a unified tree, by names such as "a", that the sampler has read.
class CgroupActuatorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs_.MountUnified("/v2", {"cpu"});
    ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "+cpu").ok());
    fs_.TakeWrites();
  }

  void Make(const std::string& name) {
    ASSERT_TRUE(fs_.MakeDirectory("/v2/" + name).ok());
    ASSERT_TRUE(table_.Read("/" + name).ok());
    wanted_[name] = core::CpuValues();
  }
  uint64_t Inode(const std::string& name) {
    return fs_.Inode("/v2/" + name).value();
  }
  // A tenth of a second after the last, makes it so that `wanted_` holds.
  runtime::ApplyReport Apply(absl::Duration elapsed = absl::Milliseconds(100)) {
    core::Decision decision;
    now_ += elapsed;
    decision.at = now_;
    decision.node.elapsed = elapsed;
    for (const auto& [name, values] : wanted_) {
      core::UserDecision user;
      user.id = name;
      user.cgroups = {{.inode = Inode(name), .wanted = values}};
      decision.users.push_back(std::move(user));
    }
    return actuator_.Apply(decision);
  }
  std::string Get(const std::string& file) {
    return fs_.Read("/v2/" + file).value_or("unreadable");
  }
  // As another writer does; the log shows only ours.
  void Meddle(const std::string& file, const std::string& value) {
    const std::vector<testing::FakeWrite> ours = fs_.TakeWrites();
    ASSERT_TRUE(fs_.Write("/v2/" + file, value).ok());
    fs_.TakeWrites();
    ASSERT_THAT(ours, ::testing::IsEmpty()) << "take the writes before";
  }

  testing::FakeCgroupFs fs_;
  CgroupTable table_{fs_,
                     {.backend = Backend::kUnified,
                      .cpu = "/v2",
                      .cpuacct = "",
                      .unified = ""}};
  CgroupActuator actuator_{{.table = table_}};
  std::map<std::string, core::CpuValues> wanted_;
  absl::Duration now_ = absl::Seconds(1000);
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_TESTS_UNIT_KERNEL_CGROUP_ACTUATOR_FIXTURE_H_
