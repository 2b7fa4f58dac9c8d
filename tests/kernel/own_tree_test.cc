// SPDX-License-Identifier: Apache-2.0
// Placing on this machine's own kernel, below a cgroup of the test's own.
#include "agent/kernel/own_tree.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "agent/core/policy.h"
#include "agent/kernel/classifier.h"
#include "agent/kernel/journal_file.h"
#include "agent/kernel/process_scan.h"
#include "agent/kernel/real_file_system.h"
#include "agent/kernel/release.h"
#include "agent/runtime/clock.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

constexpr int64_t kUid = 60600;
constexpr int64_t kOtherUid = 60601;

// A child that sleeps as some uid, and becomes others when told.
class Sleeper {
 public:
  explicit Sleeper(int64_t uid) {
    int to_child[2];
    int from_child[2];
    if (::pipe(to_child) != 0 || ::pipe(from_child) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) Run(to_child[0], from_child[1]);
    ::close(to_child[0]);
    ::close(from_child[1]);
    write_fd_ = to_child[1];
    read_fd_ = from_child[0];
    Become(uid);
  }
  ~Sleeper() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(write_fd_);
    ::close(read_fd_);
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  // Its real uid, which root stays in saved form to be able to change again.
  bool Become(int64_t uid) const {
    const uid_t wanted = static_cast<uid_t>(uid);
    int result = -1;
    return ::write(write_fd_, &wanted, sizeof(wanted)) == sizeof(wanted) &&
           ::read(read_fd_, &result, sizeof(result)) == sizeof(result) &&
           result == 0;
  }
  int64_t pid() const { return pid_; }

 private:
  [[noreturn]] static void Run(int read_fd, int write_fd) {
    // Whatever becomes of the test, no sleeper stays.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    uid_t uid = 0;
    while (::read(read_fd, &uid, sizeof(uid)) == sizeof(uid)) {
      const int result = ::setresuid(uid, 0, 0);
      if (::write(write_fd, &result, sizeof(result)) != sizeof(result)) break;
    }
    ::_exit(0);
  }

  pid_t pid_ = -1;
  int write_fd_ = -1;
  int read_fd_ = -1;
};

// "fairsched-test-PID" in every mount, with a weight of 77.
class ParentCgroup {
 public:
  ParentCgroup(FileSystem& fs, const Hierarchies& hierarchies)
      : fs_(fs),
        hierarchies_(hierarchies),
        path_(absl::StrCat("/fairsched-test-", ::getpid())),
        weight_file_(absl::StrCat(hierarchies.cpu, path_,
                                  hierarchies.backend == Backend::kUnified
                                      ? "/cpu.weight"
                                      : "/cpu.shares")) {
    for (const std::string& mount : hierarchies_.Mounts())
      made_.Update(fs_.MakeDirectory(mount + path_));
    made_.Update(fs_.Write(weight_file_, "77"));
  }
  ~ParentCgroup() {
    for (const std::string& mount : hierarchies_.Mounts()) {
      const absl::Status status = fs_.RemoveDirectory(mount + path_);
      EXPECT_TRUE(status.ok()) << status;
    }
  }
  const absl::Status& made() const { return made_; }
  const std::string& path() const { return path_; }
  std::string Weight() const { return fs_.Read(weight_file_).value_or(""); }
  // What is below it, in every mount.
  std::vector<std::string> Children() const {
    std::vector<std::string> children;
    for (const std::string& mount : hierarchies_.Mounts()) {
      for (const std::string& name :
           fs_.ListDirectories(mount + path_)
               .value_or(std::vector<std::string>())) {
        children.push_back(absl::StrCat(mount, path_, "/", name));
      }
    }
    return children;
  }

 private:
  FileSystem& fs_;
  const Hierarchies hierarchies_;
  const std::string path_;
  const std::string weight_file_;
  absl::Status made_;
};

std::shared_ptr<const core::Policy> Policy(core::Mode mode) {
  core::Settings settings;
  settings.mode = mode;
  settings.uid_ranges = {{kUid, kOtherUid}};
  return std::make_shared<const core::Policy>(settings,
                                              std::vector<core::UserPolicy>());
}

class OwnTreeOnTheKernelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root, to move processes";
    const absl::StatusOr<Hierarchies> found = FindHierarchies(fs_, "/proc");
    if (!found.ok()) GTEST_SKIP() << found.status();
    hierarchies_ = *found;
    const absl::StatusOr<ProcessScan> scan = ScanProcesses(fs_, "/proc");
    ASSERT_TRUE(scan.ok()) << scan.status();
    for (const Process& process : scan->processes) {
      if (process.ruid == kUid || process.ruid == kOtherUid) {
        GTEST_SKIP() << "process " << process.pid << " has the test's uid "
                     << process.ruid;
      }
    }
    parent_.emplace(fs_, hierarchies_);
    if (!parent_->made().ok()) GTEST_SKIP() << parent_->made();
    layout_ = *TreeLayout::Make(hierarchies_, parent_->path());
  }
  void TearDown() override {
    if (!layout_.has_value()) return;
    // Also after a failure: nothing may be left in what is removed now.
    ReleaseFromJournal(deps_, journal_, *layout_).IgnoreError();
    std::filesystem::remove_all(run_directory_);
  }

  void Begin() {
    agent_.emplace(0);
    classifier_.emplace(deps_, journal_,
                        Classifier::Options{.layout = layout_,
                                            .agent_pid = agent_->pid(),
                                            .user_hz = ::sysconf(_SC_CLK_TCK)},
                        Policy(core::Mode::kEnforce));
  }
  void Round() {
    const absl::Status status = classifier_->Round();
    EXPECT_TRUE(status.ok()) << status;
  }
  // Per mount.
  std::vector<std::string> Where(int64_t pid) {
    std::vector<std::string> paths;
    const std::vector<ProcCgroup> lines = *ReadProcCgroup(fs_, "/proc", pid);
    for (const TreeMount& mount : layout_->mounts())
      paths.push_back(PathIn(lines, mount.controller).value_or("nowhere"));
    return paths;
  }
  std::vector<std::string> Everywhere(const std::string& path) const {
    return std::vector<std::string>(layout_->mounts().size(), path);
  }

  RealFileSystem fs_;
  runtime::SystemClock clock_;
  TreeDeps deps_{.fs = fs_, .clock = clock_, .pause = absl::SleepFor};
  const std::string run_directory_ =
      absl::StrCat(::testing::TempDir(), "fairsched-test-", ::getpid());
  DiskJournalFile journal_{run_directory_ + "/journal"};
  Hierarchies hierarchies_;
  std::optional<ParentCgroup> parent_;
  std::optional<TreeLayout> layout_;
  std::optional<Sleeper> agent_;
  std::optional<Classifier> classifier_;
};

TEST_F(OwnTreeOnTheKernelTest, PlacesByUidAndReturnsEachToWhereItWas) {
  const Sleeper alice(kUid);
  const Sleeper bob(kOtherUid);
  const std::vector<std::string> home = Where(alice.pid());
  Begin();

  Round();
  EXPECT_EQ(Where(alice.pid()), Everywhere(layout_->Group(kUid)));
  EXPECT_EQ(Where(bob.pid()), Everywhere(layout_->Group(kOtherUid)));
  EXPECT_EQ(Where(agent_->pid()), Everywhere(layout_->agent()));
  EXPECT_EQ(Where(::getpid()), home) << "this test is nobody's";
  EXPECT_EQ(classifier_->Report()->processes, 2);

  ASSERT_TRUE(bob.Become(kUid));
  Round();
  EXPECT_EQ(Where(bob.pid()), Everywhere(layout_->Group(kUid)));

  EXPECT_TRUE(classifier_->Stop().ok());
  EXPECT_EQ(Where(alice.pid()), home);
  EXPECT_EQ(Where(bob.pid()), home);
  EXPECT_EQ(Where(agent_->pid()), home);
  EXPECT_EQ(parent_->Weight(), "77\n");
  EXPECT_TRUE(parent_->Children().empty());
  EXPECT_FALSE(std::filesystem::exists(run_directory_ + "/journal"));
}

TEST_F(OwnTreeOnTheKernelTest, WhoBecomesRootAgainLeaves) {
  const Sleeper alice(kUid);
  const std::vector<std::string> home = Where(alice.pid());
  Begin();
  Round();

  ASSERT_TRUE(alice.Become(0));
  Round();

  // Unless a login of a managed user runs this test, it is root's.
  EXPECT_EQ(Where(alice.pid()), home);
}

TEST_F(OwnTreeOnTheKernelTest, AnEmptyGroupGoesAfterTwoScans) {
  std::optional<Sleeper> alice;
  alice.emplace(kUid);
  Begin();
  Round();
  const std::string group = layout_->mounts()[0].path + layout_->Group(kUid);
  ASSERT_TRUE(fs_.Inode(group).ok());

  alice.reset();
  Round();
  EXPECT_TRUE(fs_.Inode(group).ok());
  Round();

  EXPECT_TRUE(absl::IsNotFound(fs_.Inode(group).status()));
}

TEST_F(OwnTreeOnTheKernelTest, AfterACrashAReleaseReturnsThem) {
  const Sleeper alice(kUid);
  const std::vector<std::string> home = Where(alice.pid());
  Begin();
  Round();
  classifier_.reset();

  const absl::StatusOr<ReleaseReport> report =
      ReleaseFromJournal(deps_, journal_, *layout_);

  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->by_journal);
  EXPECT_TRUE(report->dissolved.ToStatus().ok());
  EXPECT_EQ(report->dissolved.processes_moved, 2);
  EXPECT_EQ(Where(alice.pid()), home);
  EXPECT_TRUE(parent_->Children().empty());
}

TEST_F(OwnTreeOnTheKernelTest, ObservingSamplesWithoutACgroup) {
  const Sleeper alice(kUid);
  Begin();
  classifier_->SetPolicy(Policy(core::Mode::kObserve));

  Round();

  bool seen = false;
  for (const UidPopulation& uid : classifier_->Latest()->uids) {
    if (uid.uid != kUid) continue;
    seen = true;
    EXPECT_EQ(uid.processes, 1);
    // A sanitizer may have a thread of its own in it.
    EXPECT_GE(uid.threads, 1);
  }
  EXPECT_TRUE(seen);
  EXPECT_TRUE(parent_->Children().empty());
}

}  // namespace
}  // namespace fairsched::kernel
