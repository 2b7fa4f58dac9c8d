// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup.h"

#include <memory>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::kernel {
namespace {

absl::Status SetWeight(Cgroup& cgroup, int32_t weight) {
  return cgroup.Write({CpuFile::kWeight, cgroup.backend() == Backend::kLegacy
                                             ? FormatCpuShares(weight)
                                             : FormatCpuWeight(weight)});
}

absl::Status SetIdle(Cgroup& cgroup, bool idle) {
  return cgroup.Write({CpuFile::kIdle, FormatCpuIdle(idle)});
}

using core::CpuTime;
using core::CpuValues;
using ::testing::ElementsAre;
using testing::FakeWrite;
using testing::FsOp;

constexpr char kPath[] = "/a";

// One group, in a unified tree.
class UnifiedCgroupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs_.MountUnified("/v2", {"cpu"});
    ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "+cpu").ok());
    ASSERT_TRUE(fs_.MakeDirectory("/v2/a").ok());
  }
  std::unique_ptr<Cgroup> Open() {
    absl::StatusOr<std::unique_ptr<Cgroup>> cgroup =
        Cgroup::Open(fs_,
                     {.backend = Backend::kUnified,
                      .cpu = "/v2",
                      .cpuacct = "",
                      .unified = ""},
                     kPath);
    EXPECT_TRUE(cgroup.ok()) << cgroup.status();
    fs_.TakeWrites();
    return *std::move(cgroup);
  }
  testing::FakeCgroupFs fs_;
};

// One group, in v1 trees and, if `with_unified`, a unified one beside.
class LegacyCgroupTest : public ::testing::Test {
 protected:
  std::unique_ptr<Cgroup> Open(bool with_unified) {
    fs_.MountLegacy("/cpu", {"cpu"});
    fs_.MountLegacy("/acct", {"cpuacct"});
    fs_.MountUnified("/v2", {});
    for (const char* mount : {"/cpu", "/acct", "/v2"})
      EXPECT_TRUE(fs_.MakeDirectory(std::string(mount) + kPath).ok());
    absl::StatusOr<std::unique_ptr<Cgroup>> cgroup =
        Cgroup::Open(fs_,
                     {.backend = Backend::kLegacy,
                      .cpu = "/cpu",
                      .cpuacct = "/acct",
                      .unified = with_unified ? "/v2" : ""},
                     kPath);
    EXPECT_TRUE(cgroup.ok()) << cgroup.status();
    return *std::move(cgroup);
  }
  testing::FakeCgroupFs fs_;
};

TEST_F(UnifiedCgroupTest, ReadsWhatTheKernelCounts) {
  const std::unique_ptr<Cgroup> cgroup = Open();
  fs_.SetUsage("/v2/a", 1234);
  fs_.SetPressure("/v2/a", 56);
  fs_.SetThrottled("/v2/a", 7);

  const CgroupCounters counters = cgroup->ReadCounters().value();

  EXPECT_EQ(counters.usage, CpuTime::Usec(1234));
  EXPECT_EQ(counters.pressure_some, CpuTime::Usec(56));
  EXPECT_EQ(counters.throttled, CpuTime::Usec(7));
  EXPECT_EQ(cgroup->reads(), 2);
  EXPECT_EQ(cgroup->inode(), fs_.Inode("/v2/a").value());
}

TEST_F(UnifiedCgroupTest, WhatTheKernelDoesNotCountIsUnknownNotZero) {
  fs_.DisablePressure();
  ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "-cpu").ok());
  const std::unique_ptr<Cgroup> cgroup = Open();

  const CgroupCounters counters = cgroup->ReadCounters().value();

  EXPECT_EQ(counters.pressure_some, std::nullopt);
  EXPECT_EQ(counters.throttled, std::nullopt);
}

TEST_F(UnifiedCgroupTest, PressureThatIsNotSupportedIsAskedForOnce) {
  fs_.DisablePressure();
  const std::unique_ptr<Cgroup> cgroup = Open();
  ASSERT_TRUE(cgroup->ReadCounters().ok());
  EXPECT_EQ(cgroup->reads(), 2);
  ASSERT_TRUE(cgroup->ReadCounters().ok());
  EXPECT_EQ(cgroup->reads(), 3);
}

TEST_F(UnifiedCgroupTest, WritesOneValueToOneFile) {
  const std::unique_ptr<Cgroup> cgroup = Open();

  ASSERT_TRUE(SetWeight(*cgroup, 250).ok());
  EXPECT_EQ(Outward(cgroup->ReadValues().value()),
            (CpuValues{.weight = 250, .idle = false, .ceiling = std::nullopt}));
  ASSERT_TRUE(SetIdle(*cgroup, true).ok());

  EXPECT_THAT(fs_.TakeWrites(),
              ElementsAre(FakeWrite{"/v2/a/cpu.weight", "250"},
                          FakeWrite{"/v2/a/cpu.idle", "1"}));
}

TEST_F(UnifiedCgroupTest, AnIdleGroupTakesNoWeightAndForgetsItsOwn) {
  const std::unique_ptr<Cgroup> cgroup = Open();
  ASSERT_TRUE(SetWeight(*cgroup, 250).ok());
  ASSERT_TRUE(SetIdle(*cgroup, true).ok());

  EXPECT_TRUE(cgroup->ReadValues()->idle);
  EXPECT_TRUE(absl::IsInvalidArgument(SetWeight(*cgroup, 300)));

  ASSERT_TRUE(SetIdle(*cgroup, false).ok());
  EXPECT_EQ(Outward(cgroup->ReadValues().value()), CpuValues());
}

TEST_F(UnifiedCgroupTest, AnOlderKernelHasNoIdle) {
  fs_.WithoutFile("cpu.idle");
  const std::unique_ptr<Cgroup> cgroup = Open();
  EXPECT_FALSE(cgroup->Has(CpuFile::kIdle));
  EXPECT_TRUE(absl::IsInvalidArgument(SetIdle(*cgroup, true)));
  EXPECT_TRUE(SetWeight(*cgroup, 1).ok());
  EXPECT_EQ(cgroup->ReadValues()->weight, 1);
}

TEST_F(UnifiedCgroupTest, WithoutTheControllerItHasCountersButNoValues) {
  ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "-cpu").ok());
  const std::unique_ptr<Cgroup> cgroup = Open();
  EXPECT_TRUE(cgroup->ReadCounters().ok());
  EXPECT_TRUE(absl::IsUnimplemented(cgroup->ReadValues().status()));
  EXPECT_TRUE(absl::IsUnimplemented(SetWeight(*cgroup, 7)));

  ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "+cpu").ok());

  EXPECT_TRUE(SetWeight(*cgroup, 7).ok());
  EXPECT_EQ(cgroup->ReadValues()->weight, 7);
}

TEST_F(UnifiedCgroupTest, AControllerThatGoesAwayIsNotACgroupThatIsGone) {
  const std::unique_ptr<Cgroup> cgroup = Open();
  ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "-cpu").ok());
  EXPECT_TRUE(absl::IsUnimplemented(SetWeight(*cgroup, 7)));
  ASSERT_TRUE(fs_.Write("/v2/cgroup.subtree_control", "+cpu").ok());
  EXPECT_TRUE(SetWeight(*cgroup, 7).ok());
}

TEST_F(UnifiedCgroupTest, ARemovedGroupIsNotFoundEvenIfItsNameIsBack) {
  const std::unique_ptr<Cgroup> cgroup = Open();
  EXPECT_TRUE(cgroup->Exists());
  ASSERT_TRUE(fs_.RemoveDirectory("/v2/a").ok());
  ASSERT_TRUE(fs_.MakeDirectory("/v2/a").ok());

  EXPECT_FALSE(cgroup->Exists());
  EXPECT_TRUE(absl::IsNotFound(cgroup->ReadCounters().status()));
  EXPECT_TRUE(absl::IsNotFound(cgroup->ReadValues().status()));
  EXPECT_TRUE(absl::IsNotFound(SetWeight(*cgroup, 7)));
  EXPECT_TRUE(absl::IsNotFound(SetIdle(*cgroup, true)));
  EXPECT_EQ(fs_.Read("/v2/a/cpu.weight").value(), "100\n");
}

TEST_F(UnifiedCgroupTest, ErrorsOfTheKernelKeepTheirCodes) {
  const std::unique_ptr<Cgroup> cgroup = Open();
  fs_.FailNext("cpu.weight", FsOp::kWrite, absl::PermissionDeniedError("no"));
  EXPECT_TRUE(absl::IsPermissionDenied(SetWeight(*cgroup, 7)));
  fs_.FailNext("cpu.idle", FsOp::kWrite, absl::FailedPreconditionError("ro"));
  EXPECT_TRUE(absl::IsFailedPrecondition(SetIdle(*cgroup, true)));
  fs_.FailNext("cpu.stat", FsOp::kRead, absl::InternalError("io"));
  EXPECT_TRUE(absl::IsInternal(cgroup->ReadCounters().status()));
}

TEST_F(UnifiedCgroupTest, WhatIsNotThereCantBeOpened) {
  EXPECT_TRUE(absl::IsNotFound(Cgroup::Open(fs_,
                                            {.backend = Backend::kUnified,
                                             .cpu = "/v2",
                                             .cpuacct = "",
                                             .unified = ""},
                                            "/b")
                                   .status()));
}

TEST_F(LegacyCgroupTest, CountersAreOfTheUnifiedTreeWhereThereIsOne) {
  const std::unique_ptr<Cgroup> cgroup = Open(/*with_unified=*/true);
  fs_.SetUsage("/v2/a", 1234);
  fs_.SetPressure("/v2/a", 56);
  fs_.SetUsage("/acct/a", 9999);

  const CgroupCounters counters = cgroup->ReadCounters().value();

  EXPECT_EQ(counters.usage, CpuTime::Usec(1234));
  EXPECT_EQ(counters.pressure_some, CpuTime::Usec(56));
  EXPECT_EQ(counters.throttled, std::nullopt);
  EXPECT_EQ(cgroup->inode(), fs_.Inode("/cpu/a").value());
}

TEST_F(LegacyCgroupTest, CountersAreOfCpuacctElse) {
  const std::unique_ptr<Cgroup> cgroup = Open(/*with_unified=*/false);
  fs_.SetUsage("/acct/a", 9999);

  const CgroupCounters counters = cgroup->ReadCounters().value();

  EXPECT_EQ(counters.usage, CpuTime::Usec(9999));
  EXPECT_EQ(counters.pressure_some, std::nullopt);
}

TEST_F(LegacyCgroupTest, AWeightIsWrittenAsShares) {
  const std::unique_ptr<Cgroup> cgroup = Open(/*with_unified=*/true);
  ASSERT_TRUE(SetWeight(*cgroup, 250).ok());
  EXPECT_EQ(fs_.Read("/cpu/a/cpu.shares").value(), "2560\n");
  EXPECT_EQ(Outward(cgroup->ReadValues().value()),
            (CpuValues{.weight = 250, .idle = false, .ceiling = std::nullopt}));

  ASSERT_TRUE(SetIdle(*cgroup, true).ok());
  EXPECT_TRUE(cgroup->ReadValues()->idle);
}

TEST_F(LegacyCgroupTest, GoneFromOneTreeIsGone) {
  const std::unique_ptr<Cgroup> cgroup = Open(/*with_unified=*/true);
  ASSERT_TRUE(fs_.RemoveDirectory("/v2/a").ok());
  EXPECT_TRUE(absl::IsNotFound(cgroup->ReadCounters().status()));
}

}  // namespace
}  // namespace fairsched::kernel
