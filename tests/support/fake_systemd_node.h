// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_FAKE_SYSTEMD_NODE_H_
#define FAIRSCHED_TESTS_SUPPORT_FAKE_SYSTEMD_NODE_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "tests/support/fake_cgroup_fs.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_proc.h"

namespace fairsched::testing {

// A node of two CPUs whose PID 1 is systemd on the unified tree, with the cpu
// and pids controllers on for slices and services. Not thread-safe.
class FakeSystemdNode {
 public:
  static constexpr char kMount[] = "/sys/fs/cgroup";
  static constexpr int64_t kAgentPid = 500;
  static constexpr int64_t kCpus = 2;

  FakeSystemdNode() : proc(Mounted(cgroups), {{kMount, "0:"}}) {
    for (const char* const slice :
         {"", "/user.slice", "/system.slice", "/machine.slice"}) {
      MakeCgroup(slice);
      cgroups
          .Write(absl::StrCat(kMount, slice, "/cgroup.subtree_control"),
                 "+cpu +pids")
          .IgnoreError();
    }
    MakeCgroup("/init.scope");
    MakeCgroup("/system.slice/fairschedd.service");
    proc.Spawn({.pid = 1, .ruid = 0, .ppid = 0, .name = "systemd"},
               "/init.scope");
    proc.Spawn({.pid = kAgentPid, .ruid = 0, .name = "fairschedd"},
               "/system.slice/fairschedd.service");
    cgroups.Put("/proc/stat", "cpu 0 0 0 0 0 0 0 0\n");
    cgroups.Put("/sys/devices/system/cpu/online", "0-1\n");
    cgroups.TakeWrites();
  }

  static std::string SliceOf(int64_t uid) {
    return absl::StrCat("/user.slice/user-", uid, ".slice");
  }
  void Login(int64_t uid) { MakeCgroup(SliceOf(uid)); }
  void Logout(int64_t uid) { RemoveCgroup(SliceOf(uid)); }

  // Paths are below the mount.
  void MakeCgroup(const std::string& path) {
    cgroups.MakeDirectory(kMount + path).IgnoreError();
    cgroups.SetThreads(kMount + path, 4);
  }
  void RemoveCgroup(const std::string& path) {
    cgroups.RemoveDirectory(kMount + path).IgnoreError();
    used_.erase(path);
    waited_.erase(path);
  }
  std::string Get(const std::string& path, const std::string& file) {
    return cgroups.Read(absl::StrCat(kMount, path, "/", file))
        .value_or("unreadable");
  }

  // Adds to what the cgroup and its node have used, and to the time that some
  // of its threads have waited.
  void Use(const std::string& path, absl::Duration cpu_time,
           absl::Duration waited = absl::ZeroDuration()) {
    used_[path] += absl::ToInt64Microseconds(cpu_time);
    waited_[path] += absl::ToInt64Microseconds(waited);
    busy_ += absl::ToInt64Microseconds(cpu_time);
    cgroups.SetUsage(kMount + path, used_[path]);
    cgroups.SetPressure(kMount + path, waited_[path]);
    cgroups.SetUsage(kMount, busy_);
  }

  FakeCgroupFs cgroups;
  FakeProc proc;
  FakeClock clock;

 private:
  static FakeCgroupFs& Mounted(FakeCgroupFs& fs) {
    fs.MountUnified(kMount, {"cpu", "pids"});
    return fs;
  }

  std::map<std::string, int64_t> used_, waited_;  // us, by path
  int64_t busy_ = 0;                              // us
};

}  // namespace fairsched::testing

#endif  // FAIRSCHED_TESTS_SUPPORT_FAKE_SYSTEMD_NODE_H_
