// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_FAKE_PROC_H_
#define FAIRSCHED_TESTS_SUPPORT_FAKE_PROC_H_

#include <cerrno>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "agent/kernel/errno_status.h"
#include "agent/kernel/file_system.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::testing {

struct FakeProcess {
  int64_t pid = 0;
  int64_t ruid = 0;
  int64_t ppid = 1;
  int64_t threads = 1;
  int64_t start_ticks = 0;
  int64_t utime_ticks = 0;
  int64_t stime_ticks = 0;
  std::optional<int64_t> loginuid = std::nullopt;
  std::string name = "sleep";
  char state = 'S';
  // Instead of what the cgroups say.
  std::optional<std::string> cgroup_text = std::nullopt;
};

// The processes of a node in memory, with their /proc, beside the cgroups of a
// FakeCgroupFs: /proc/PID/cgroup says where its cgroup.procs have them. All
// other paths are the FakeCgroupFs's. Counts its calls, and can fail one of
// them. Not thread-safe.
class FakeProc final : public kernel::FileSystem {
 public:
  struct Mount {
    std::string path;
    std::string line;  // of /proc/PID/cgroup, before the path: "1:cpu"
  };
  FakeProc(FakeCgroupFs& cgroups, std::vector<Mount> mounts)
      : cgroups_(cgroups), mounts_(std::move(mounts)) {
    cgroups_.Put("/proc/sys/kernel/random/boot_id", "boot-1\n");
    SetUptime(0);
  }

  // In `cgroup`, below every mount.
  void Spawn(FakeProcess process, const std::string& cgroup = "/");
  // A child of `parent`, of its uid and in its cgroups.
  void Fork(int64_t parent, int64_t pid, int64_t start_ticks);
  void Exit(int64_t pid);
  // To be changed at will: /proc shows it at once.
  FakeProcess& At(int64_t pid) { return processes_.at(pid); }
  bool IsAlive(int64_t pid) const { return processes_.contains(pid); }

  // The path below `mount` of the cgroup that `pid` is in.
  std::string CgroupOf(int64_t pid, const std::string& mount) {
    return Find(pid, mount, "/");
  }
  void SetUptime(int64_t seconds) {
    cgroups_.Put("/proc/uptime", absl::StrCat(seconds, ".00 0.00\n"));
  }

  // Of all operations, since the start.
  int64_t calls() const { return calls_; }
  // The `number`th call from now on (1: the next) fails, and does nothing.
  void FailCall(int64_t number, absl::Status error) {
    failing_call_ = calls_ + number;
    failure_ = std::move(error);
  }
  // Runs after each write that was taken.
  void OnWrite(
      std::function<void(absl::string_view path, absl::string_view data)>
          hook) {
    on_write_ = std::move(hook);
  }

  absl::StatusOr<std::unique_ptr<kernel::File>> Open(
      absl::string_view path) override {
    RETURN_IF_ERROR(Count());
    return cgroups_.Open(path);
  }
  absl::StatusOr<std::string> Read(absl::string_view path) override;
  absl::Status Write(absl::string_view path, absl::string_view data) override;
  absl::StatusOr<std::vector<std::string>> ListDirectories(
      absl::string_view path) override;
  absl::Status MakeDirectory(absl::string_view path) override {
    RETURN_IF_ERROR(Count());
    return cgroups_.MakeDirectory(path);
  }
  absl::Status RemoveDirectory(absl::string_view path) override {
    RETURN_IF_ERROR(Count());
    return cgroups_.RemoveDirectory(path);
  }
  absl::StatusOr<uint64_t> Inode(absl::string_view path) override {
    RETURN_IF_ERROR(Count());
    return cgroups_.Inode(path);
  }

 private:
  absl::Status Count() {
    return ++calls_ == failing_call_ ? failure_ : absl::OkStatus();
  }
  std::string Find(int64_t pid, const std::string& mount,
                   const std::string& path);
  std::string Status(const FakeProcess& process) const;
  std::string Stat(const FakeProcess& process) const;
  std::string Cgroup(const FakeProcess& process);

  FakeCgroupFs& cgroups_;
  const std::vector<Mount> mounts_;
  std::map<int64_t, FakeProcess> processes_;
  int64_t calls_ = 0;
  int64_t failing_call_ = 0;
  absl::Status failure_;
  std::function<void(absl::string_view, absl::string_view)> on_write_;
};

inline void FakeProc::Spawn(FakeProcess process, const std::string& cgroup) {
  for (const Mount& mount : mounts_) {
    cgroups_.AddProcess(process.pid,
                        cgroup == "/" ? mount.path : mount.path + cgroup);
  }
  const int64_t pid = process.pid;
  processes_[pid] = std::move(process);
}

inline void FakeProc::Fork(int64_t parent, int64_t pid, int64_t start_ticks) {
  FakeProcess child = processes_.at(parent);
  child.pid = pid;
  child.ppid = parent;
  child.start_ticks = start_ticks;
  for (const Mount& mount : mounts_) {
    const std::string path = CgroupOf(parent, mount.path);
    cgroups_.AddProcess(pid, path == "/" ? mount.path : mount.path + path);
  }
  processes_[pid] = std::move(child);
}

inline void FakeProc::Exit(int64_t pid) {
  processes_.erase(pid);
  cgroups_.RemoveProcess(pid);
}

inline absl::StatusOr<std::string> FakeProc::Read(absl::string_view path) {
  RETURN_IF_ERROR(Count());
  absl::string_view rest = path;
  int64_t pid = 0;
  if (!absl::ConsumePrefix(&rest, "/proc/") ||
      !absl::SimpleAtoi(rest.substr(0, rest.find('/')), &pid)) {
    return cgroups_.Read(path);
  }
  const auto process = processes_.find(pid);
  if (process == processes_.end())
    return kernel::ErrnoStatus(ENOENT, "open", path);
  if (absl::EndsWith(path, "/status")) return Status(process->second);
  if (absl::EndsWith(path, "/stat")) return Stat(process->second);
  if (absl::EndsWith(path, "/comm"))
    return absl::StrCat(process->second.name, "\n");
  if (absl::EndsWith(path, "/cgroup")) return Cgroup(process->second);
  if (absl::EndsWith(path, "/loginuid"))
    return absl::StrCat(process->second.loginuid.value_or(4294967295));
  return kernel::ErrnoStatus(ENOENT, "open", path);
}

inline absl::Status FakeProc::Write(absl::string_view path,
                                    absl::string_view data) {
  RETURN_IF_ERROR(Count());
  RETURN_IF_ERROR(cgroups_.Write(path, data));
  if (on_write_) on_write_(path, data);
  return absl::OkStatus();
}

inline absl::StatusOr<std::vector<std::string>> FakeProc::ListDirectories(
    absl::string_view path) {
  RETURN_IF_ERROR(Count());
  if (path != "/proc") return cgroups_.ListDirectories(path);
  std::vector<std::string> names = {"sys", "self"};
  for (const auto& [pid, process] : processes_)
    names.push_back(absl::StrCat(pid));
  return names;
}

// Past the counting and the faults of this class.
inline std::string FakeProc::Find(int64_t pid, const std::string& mount,
                                  const std::string& path) {
  const std::string directory = path == "/" ? mount : mount + path;
  const std::string pids =
      absl::StrCat("\n", *cgroups_.Read(directory + "/cgroup.procs"));
  if (absl::StrContains(pids, absl::StrCat("\n", pid, "\n"))) return path;
  const std::vector<std::string> names = *cgroups_.ListDirectories(directory);
  for (const std::string& name : names) {
    const std::string below =
        path == "/" ? absl::StrCat("/", name) : absl::StrCat(path, "/", name);
    std::string found = Find(pid, mount, below);
    if (!found.empty()) return found;
  }
  return "";
}

inline std::string FakeProc::Status(const FakeProcess& process) const {
  const int64_t uid = process.ruid;
  return absl::StrCat("Name:\t", process.name, "\nState:\t",
                      std::string(1, process.state), " (some)\nTgid:\t",
                      process.pid, "\nPid:\t", process.pid, "\nPPid:\t",
                      process.ppid, "\nUid:\t", uid, "\t", uid, "\t", uid, "\t",
                      uid, "\nThreads:\t", process.threads, "\n");
}

inline std::string FakeProc::Stat(const FakeProcess& process) const {
  return absl::StrCat(process.pid, " (", process.name, ") ",
                      std::string(1, process.state), " ", process.ppid,
                      " 0 0 0 -1 0 0 0 0 0 ", process.utime_ticks, " ",
                      process.stime_ticks, " 0 0 20 0 ", process.threads, " 0 ",
                      process.start_ticks, " 0 0\n");
}

inline std::string FakeProc::Cgroup(const FakeProcess& process) {
  if (process.cgroup_text.has_value()) return *process.cgroup_text;
  std::string text;
  for (const Mount& mount : mounts_) {
    absl::StrAppend(&text, mount.line, ":", CgroupOf(process.pid, mount.path),
                    "\n");
  }
  return text;
}

}  // namespace fairsched::testing

#endif  // FAIRSCHED_TESTS_SUPPORT_FAKE_PROC_H_
