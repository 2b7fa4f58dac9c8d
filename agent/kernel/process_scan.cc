// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/process_scan.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/proc_status.h"

namespace fairsched::kernel {
namespace {

// The parent of all kernel threads, and one itself.
constexpr int64_t kKthreadd = 2;

std::string PathOf(absl::string_view proc_root, int64_t pid,
                   absl::string_view file) {
  return absl::StrCat(proc_root, "/", pid, "/", file);
}

// Says of which process a text could not be parsed.
absl::Status About(const absl::Status& status, int64_t pid) {
  if (status.ok()) return status;
  return absl::Status(status.code(),
                      absl::StrCat("process ", pid, ": ", status.message()));
}

bool IsKernelThread(int64_t pid, const ProcStatus& status) {
  if (status.kthread.has_value()) return *status.kthread;
  // In a pid namespace pid 2 is anybody's, but only root's is the kernel's.
  return status.ruid == 0 && (pid == kKthreadd || status.ppid == kKthreadd);
}

// A process with dead first thread and living others is alive.
bool IsZombie(const ProcStatus& status) {
  return (status.state == 'Z' || status.state == 'X') && status.threads <= 1;
}

absl::StatusOr<std::optional<int64_t>> ReadLoginUid(FileSystem& fs,
                                                    absl::string_view proc_root,
                                                    int64_t pid) {
  const absl::StatusOr<std::string> text =
      fs.Read(PathOf(proc_root, pid, "loginuid"));
  // A kernel without audit has no such file.
  if (absl::IsNotFound(text.status())) return std::optional<int64_t>();
  RETURN_IF_ERROR(text.status());
  return ParseLoginUid(*text);
}

// nullopt for a zombie, which uses no CPU and can't be moved.
absl::StatusOr<std::optional<Process>> ReadProcess(FileSystem& fs,
                                                   absl::string_view proc_root,
                                                   int64_t pid) {
  ASSIGN_OR_RETURN(const std::string text,
                   fs.Read(PathOf(proc_root, pid, "status")));
  ASSIGN_OR_RETURN(const ProcStatus status, ParseProcStatus(text));
  if (IsZombie(status)) return std::optional<Process>();
  Process process{.pid = pid,
                  .ppid = status.ppid,
                  .ruid = status.ruid,
                  .threads = status.threads,
                  .loginuid = std::nullopt,
                  .kernel_thread = IsKernelThread(pid, status)};
  if (process.ruid == 0 && !process.kernel_thread) {
    ASSIGN_OR_RETURN(process.loginuid, ReadLoginUid(fs, proc_root, pid));
  }
  return std::optional<Process>(process);
}

bool IsPid(absl::string_view name, int64_t* pid) {
  return absl::SimpleAtoi(name, pid) && *pid > 0;
}

}  // namespace

absl::StatusOr<ProcessScan> ScanProcesses(FileSystem& fs,
                                          absl::string_view proc_root) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names,
                   fs.ListDirectories(proc_root));
  ProcessScan scan;
  for (const std::string& name : names) {
    int64_t pid = 0;
    if (!IsPid(name, &pid)) continue;
    scan.pids.insert(pid);
    const absl::StatusOr<std::optional<Process>> process =
        ReadProcess(fs, proc_root, pid);
    if (process.ok()) {
      if (process->has_value()) scan.processes.push_back(**process);
    } else if (!absl::IsNotFound(process.status())) {
      ++scan.unreadable;
      scan.first_error.Update(About(process.status(), pid));
    }
  }
  std::sort(scan.processes.begin(), scan.processes.end(),
            [](const Process& a, const Process& b) { return a.pid < b.pid; });
  return scan;
}

std::optional<Owner> OwnerOf(const core::Policy& policy,
                             const Process& process) {
  if (process.kernel_thread) return std::nullopt;
  const auto owner = [&policy](int64_t uid) -> std::optional<Owner> {
    const std::optional<core::UserId> user = policy.UserOfUid(uid);
    if (!user.has_value()) return std::nullopt;
    return Owner{.uid = uid, .exempt = policy.Of(*user).exempt};
  };
  if (process.ruid == 0 && process.loginuid.has_value()) {
    const std::optional<Owner> login = owner(*process.loginuid);
    if (login.has_value() && !login->exempt) return login;
  }
  return owner(process.ruid);
}

absl::StatusOr<ProcPidStat> ReadProcPidStat(FileSystem& fs,
                                            absl::string_view proc_root,
                                            int64_t pid) {
  ASSIGN_OR_RETURN(const std::string text,
                   fs.Read(PathOf(proc_root, pid, "stat")));
  absl::StatusOr<ProcPidStat> stat = ParseProcPidStat(text);
  RETURN_IF_ERROR(About(stat.status(), pid));
  return stat;
}

absl::StatusOr<std::vector<ProcCgroup>> ReadProcCgroup(
    FileSystem& fs, absl::string_view proc_root, int64_t pid) {
  ASSIGN_OR_RETURN(const std::string text,
                   fs.Read(PathOf(proc_root, pid, "cgroup")));
  absl::StatusOr<std::vector<ProcCgroup>> lines = ParseProcCgroup(text);
  RETURN_IF_ERROR(About(lines.status(), pid));
  return lines;
}

}  // namespace fairsched::kernel
