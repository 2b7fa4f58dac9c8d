// SPDX-License-Identifier: Apache-2.0
#include "server/daemon_release.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/hierarchies.h"
#include "agent/kernel/init_system.h"
#include "agent/kernel/restore.h"

namespace fairsched::server {
namespace {

// `systemctl daemon-reload`, to its end.
absl::Status ReloadSystemd() {
  const char* const kCommand[] = {"systemctl", "daemon-reload", nullptr};
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, kCommand[0], nullptr, nullptr,
                                 const_cast<char* const*>(kCommand), environ);
  if (error != 0) return absl::ErrnoToStatus(error, "run systemctl");
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return absl::ErrnoToStatus(errno, "wait for systemctl");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("systemctl daemon-reload failed, with status ", status));
}

// As systemd tells what it runs after the end of a service.
bool EndedWell() {
  const char* const result = std::getenv("SERVICE_RESULT");
  return result != nullptr && absl::string_view(result) == "success";
}

absl::Status RestoreWithoutJournal(kernel::FileSystem& fs,
                                   const KernelOptions& options) {
  if (!kernel::IsSystemd(fs, options.proc_root).value_or(false)) {
    std::puts("values of cgroups that are not ours can't be known");
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const kernel::Hierarchies hierarchies,
                   kernel::FindHierarchies(fs, options.proc_root));
  kernel::RestoreReport bursts;
  if (hierarchies.backend == kernel::Backend::kUnified)
    bursts = kernel::ZeroBursts(fs, hierarchies.cpu);
  RETURN_IF_ERROR(ReloadSystemd());
  std::printf(
      "systemd was reloaded, which puts back what it has of its units; the "
      "bursts of %ld user slices are 0\n",
      static_cast<long>(bursts.restored));
  return bursts.first_error;
}

}  // namespace

absl::Status ReleaseAndTell(kernel::FileSystem& fs, const runtime::Clock& clock,
                            Logger& logger, const KernelOptions& options) {
  ASSIGN_OR_RETURN(const kernel::ReleaseReport report,
                   ReleaseNode(fs, clock, options));
  std::printf(
      "released %s: %ld processes moved back, %ld cgroups removed, values of "
      "%ld cgroups restored, %ld cgroups with values are gone\n",
      report.by_journal ? "by the journal" : "without a journal",
      static_cast<long>(report.dissolved.processes_moved),
      static_cast<long>(report.dissolved.cgroups_removed),
      static_cast<long>(report.restored.restored),
      static_cast<long>(report.restored.gone));
  if (!report.journal_problem.ok()) {
    logger.Log(LogLevel::kWarning,
               absl::StrCat("the journal was not used: ",
                            report.journal_problem.message()));
  }
  if (!report.by_journal && !EndedWell())
    RETURN_IF_ERROR(RestoreWithoutJournal(fs, options));
  const absl::Status left = report.ToStatus();
  if (left.ok()) return left;
  return absl::Status(left.code(),
                      absl::StrCat(left.message(), "; run --release again"));
}

}  // namespace fairsched::server
