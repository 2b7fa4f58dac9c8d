// SPDX-License-Identifier: Apache-2.0
#include "server/process_stats.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace fairsched::server {
namespace {

std::optional<absl::Duration> Cpu() {
  rusage usage = {};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return std::nullopt;
  return absl::DurationFromTimeval(usage.ru_utime) +
         absl::DurationFromTimeval(usage.ru_stime);
}

// This process's own files are always in /proc, whatever tree is watched.
std::optional<double> ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  double size_pages = 0;
  double resident_pages = 0;
  if (!(statm >> size_pages >> resident_pages)) return std::nullopt;
  return resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::optional<double> OpenFds() {
  std::error_code error;
  double count = -1;  // one of them is that of the directory itself
  for (std::filesystem::directory_iterator it("/proc/self/fd", error), end;
       !error && it != end; it.increment(error)) {
    ++count;
  }
  if (error) return std::nullopt;
  return count;
}

std::optional<double> MaxFds() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
  return static_cast<double>(limit.rlim_cur);
}

}  // namespace

ProcessStats ReadProcessStats() {
  return {.cpu = Cpu(),
          .resident_bytes = ResidentBytes(),
          .open_fds = OpenFds(),
          .max_fds = MaxFds()};
}

}  // namespace fairsched::server
