// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/process_scan.h"

#include <string>
#include <vector>

#include "agent/kernel/census.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_own_node.h"

namespace fairsched::kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::vector<int64_t> Pids(const ProcessScan& scan) {
  std::vector<int64_t> pids;
  for (const Process& process : scan.processes) pids.push_back(process.pid);
  return pids;
}

class ProcessScanTest : public ::testing::Test {
 protected:
  ProcessScanTest() {
    proc_.Spawn({.pid = 2, .ruid = 0, .ppid = 0, .name = "kthreadd"});
    proc_.Spawn({.pid = 3, .ruid = 0, .ppid = 2, .name = "kworker/0:0"});
    proc_.Spawn({.pid = 30, .ruid = 1001, .threads = 4});
    proc_.Spawn({.pid = 20, .ruid = 1001, .loginuid = 1001});
  }

  testing::FakeOwnNode node_{Backend::kLegacy};
  testing::FakeProc& proc_ = node_.proc;
};

TEST_F(ProcessScanTest, ListsEveryProcessByPid) {
  const absl::StatusOr<ProcessScan> scan = ScanProcesses(proc_, "/proc");

  ASSERT_TRUE(scan.ok()) << scan.status();
  EXPECT_THAT(Pids(*scan), ElementsAre(1, 2, 3, 20, 30, 500));
  EXPECT_TRUE(scan->processes[1].kernel_thread);
  EXPECT_TRUE(scan->processes[2].kernel_thread);
  EXPECT_FALSE(scan->processes[0].kernel_thread);
  EXPECT_EQ(scan->processes[4].threads, 4);
  EXPECT_EQ(scan->unreadable, 0);
}

TEST_F(ProcessScanTest, AChildOfPid2ThatIsNotRootsIsNoKernelThread) {
  proc_.Spawn({.pid = 40, .ruid = 1001, .ppid = 2});

  const absl::StatusOr<ProcessScan> scan = ScanProcesses(proc_, "/proc");

  EXPECT_FALSE(scan->processes[5].kernel_thread);
}

TEST_F(ProcessScanTest, ALoginUidIsReadOfRootsProcessesOnly) {
  proc_.At(1).loginuid = 1002;

  const absl::StatusOr<ProcessScan> scan = ScanProcesses(proc_, "/proc");

  EXPECT_EQ(scan->processes[0].loginuid, 1002);
  EXPECT_EQ(scan->processes[3].loginuid, std::nullopt);
}

TEST_F(ProcessScanTest, AProcessThatGoesMidwayIsLeftOut) {
  // 1 lists, 2 and 3 are of pid 1, 4 of pid 2, 5 of pid 3.
  proc_.FailCall(5, absl::NotFoundError("ESRCH"));

  const absl::StatusOr<ProcessScan> scan = ScanProcesses(proc_, "/proc");

  EXPECT_THAT(Pids(*scan), ElementsAre(1, 2, 20, 30, 500));
  EXPECT_EQ(scan->unreadable, 0);
}

TEST_F(ProcessScanTest, OneThatCannotBeReadIsCountedAndStopsNoOther) {
  proc_.FailCall(5, absl::PermissionDeniedError("EACCES"));

  const absl::StatusOr<ProcessScan> scan = ScanProcesses(proc_, "/proc");

  EXPECT_THAT(Pids(*scan), ElementsAre(1, 2, 20, 30, 500));
  EXPECT_THAT(scan->pids, UnorderedElementsAre(1, 2, 3, 20, 30, 500));
  EXPECT_EQ(scan->unreadable, 1);
  EXPECT_TRUE(absl::IsPermissionDenied(scan->first_error));
  EXPECT_THAT(std::string(scan->first_error.message()),
              HasSubstr("process 3: EACCES"));
}

TEST_F(ProcessScanTest, OnlyAZombieWithoutLivingThreadsIsLeftOut) {
  proc_.At(20).state = 'Z';
  proc_.At(30).state = 'Z';  // its first thread; three live on

  const absl::StatusOr<ProcessScan> scan = ScanProcesses(proc_, "/proc");

  EXPECT_THAT(Pids(*scan), ElementsAre(1, 2, 3, 30, 500));
}

TEST_F(ProcessScanTest, WithoutProcThereIsNoScan) {
  proc_.FailCall(1, absl::PermissionDeniedError("EACCES"));

  EXPECT_TRUE(absl::IsPermissionDenied(ScanProcesses(proc_, "/proc").status()));
}

struct OwnerCase {
  const char* name;
  Process process;
  std::optional<Owner> owner;
};
class OwnerOfTest : public ::testing::TestWithParam<OwnerCase> {};

TEST_P(OwnerOfTest, IsTheRealUidsUnlessALoginRunsItAsRoot) {
  core::Settings settings;
  settings.exempt_uids = {0, 1500};
  const core::Policy policy(
      settings,
      {core::UserPolicy{.id = "www", .selectors = core::UidSelectors({33})},
       core::UserPolicy{.id = "backup",
                        .selectors = core::UidSelectors({34}),
                        .exempt = true}});

  EXPECT_EQ(OwnerOf(policy, GetParam().process), GetParam().owner);
}

INSTANTIATE_TEST_SUITE_P(
    Processes, OwnerOfTest,
    ::testing::Values(
        OwnerCase{"Login", {.ruid = 1001}, Owner{1001, false}},
        OwnerCase{"SudoStaysTheLogins",
                  {.ruid = 0, .loginuid = 1001},
                  Owner{1001, false}},
        OwnerCase{"RootWithoutLogin", {.ruid = 0}, Owner{0, true}},
        OwnerCase{
            "RootWithRootsLogin", {.ruid = 0, .loginuid = 0}, Owner{0, true}},
        OwnerCase{"SudoOfAnExemptLogin",
                  {.ruid = 0, .loginuid = 1500},
                  Owner{0, true}},
        OwnerCase{"SudoOfAnUnmanagedLogin",
                  {.ruid = 0, .loginuid = 5},
                  Owner{0, true}},
        OwnerCase{"ExemptInARange", {.ruid = 1500}, Owner{1500, true}},
        OwnerCase{"DefinedOutOfRange", {.ruid = 33}, Owner{33, false}},
        OwnerCase{"DefinedAsExempt", {.ruid = 34}, Owner{34, true}},
        OwnerCase{"Unmanaged", {.ruid = 5}, std::nullopt},
        OwnerCase{
            "KernelThread", {.ruid = 0, .kernel_thread = true}, std::nullopt}),
    [](const auto& c) { return std::string(c.param.name); });

TEST(TakeCensusTest, SumsUpProcessesAndThreadsPerUid) {
  ProcessScan scan;
  scan.processes = {{.pid = 1, .ruid = 0, .threads = 1},
                    {.pid = 2, .ruid = 0, .kernel_thread = true},
                    {.pid = 7, .ruid = 1001, .threads = 2},
                    {.pid = 8, .ruid = 1001, .threads = 3},
                    {.pid = 9, .ruid = 5, .threads = 1}};

  const Census census = TakeCensus(core::Policy(), scan);

  ASSERT_EQ(census.uids.size(), 2u);
  EXPECT_TRUE(census.uids.at(0).exempt);
  EXPECT_FALSE(census.uids.at(1001).exempt);
  EXPECT_THAT(census.uids.at(1001).pids, ElementsAre(7, 8));
  EXPECT_EQ(census.uids.at(1001).threads, 5);
  EXPECT_THAT(census.nobodys, UnorderedElementsAre(2, 9));
}

}  // namespace
}  // namespace fairsched::kernel
