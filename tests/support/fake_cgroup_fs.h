// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_FAKE_CGROUP_FS_H_
#define FAIRSCHED_TESTS_SUPPORT_FAKE_CGROUP_FS_H_

#include <cerrno>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/kernel/file_system.h"
#include "agent/runtime/mutex.h"
#include "tests/support/fake_cgroup.h"

namespace fairsched::testing {

// What is done to a path; a fault is planned for one of them.
enum class FsOp {
  kOpen,
  kRead,
  kWrite,
  kList,
  kMakeDirectory,
  kRemoveDirectory
};

// Something that goes wrong, or slowly, as planned.
struct FakeFault {
  std::string part;  // of the path
  FsOp op;
  absl::Status error;  // that it fails with, doing nothing; OK: it is but late
  int after = 0;       // so many times it goes well before
  int times = 1;       // so many times it does not
  // Makes time pass, before it fails. It may not call the file system.
  std::function<void()> delay;
};

// One write that reached a file, whether the file took it or not.
struct FakeWrite {
  std::string path;
  std::string data;
  friend bool operator==(const FakeWrite&, const FakeWrite&) = default;
};

// A kernel in memory: cgroup trees that keep the kernel's rules, and plain
// files beside them for /proc and /sys. Nothing is created by a write, a kept
// file of a removed cgroup is dead (ENODEV) even when the name comes back, and
// values are judged at the write, not at the open.
//
// A process is in one cgroup of every tree. A plain file is in the directories
// that its path names; there are no empty ones.
//
// Thread-safe.
class FakeCgroupFs final : public kernel::FileSystem {
 public:
  // A tree with its root, listed in /proc/self/mountinfo from now on.
  void MountUnified(const std::string& path, std::set<std::string> controllers);
  void MountLegacy(const std::string& path, std::set<std::string> controllers);

  // A plain file, made or replaced.
  void Put(const std::string& path, std::string data);
  // The plain file `path`, or all of them below it.
  void Remove(const std::string& path);

  // As of an older kernel, or one started without it: no cgroup has `file`.
  void WithoutFile(const std::string& file);
  // Reading cpu.pressure gives EOPNOTSUPP from now on, in cgroups there are.
  void DisablePressure();

  // `cgroup` is the absolute path of a cgroup that is there. A process that
  // there is already moves; a new one is in the roots of the other trees.
  void AddProcess(int64_t pid, const std::string& cgroup);
  void RemoveProcess(int64_t pid);
  void SetUsage(const std::string& cgroup, int64_t usec);
  void SetThrottled(const std::string& cgroup, int64_t usec);
  void SetPressure(const std::string& cgroup, int64_t some_total_usec);
  void SetThreads(const std::string& cgroup, int64_t threads);

  // The next `times` times that `op` is done to a path with `part` in it, it
  // fails with `error` and does nothing. Of several faults that fit, the first.
  void FailNext(std::string part, FsOp op, absl::Status error, int times = 1);
  void Plan(FakeFault fault);
  void ClearFaults();

  // Called with the path of every file that took a write, of which a kernel
  // tells its watchers; null: nobody is.
  void SetWriteObserver(std::function<void(const std::string&)> observer);

  // The writes since the last call, oldest first.
  std::vector<FakeWrite> TakeWrites();
  // Reads of files' contents since the start, successful or not.
  int64_t reads() const;

  absl::StatusOr<std::unique_ptr<kernel::File>> Open(
      absl::string_view path) override;
  absl::StatusOr<std::string> Read(absl::string_view path) override;
  absl::Status Write(absl::string_view path, absl::string_view data) override;
  absl::StatusOr<std::vector<std::string>> ListDirectories(
      absl::string_view path) override;
  absl::Status MakeDirectory(absl::string_view path) override;
  absl::Status RemoveDirectory(absl::string_view path) override;
  absl::StatusOr<uint64_t> Inode(absl::string_view path) override;

 private:
  class OpenFile;

  // A file by the cgroup that it is in; plain: null, and `path` is all.
  struct Handle {
    std::shared_ptr<FakeCgroup> cgroup;
    std::string path;
    std::string name;  // after the last slash
  };

  void Mount(const std::string& path, const std::string& type,
             std::shared_ptr<FakeCgroup> root)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status TakeFault(absl::string_view path, FsOp op)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<Handle> Find(absl::string_view path)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasFile(const Handle& handle) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<std::string> ReadHandle(const Handle& handle)
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status WriteHandle(const Handle& handle, absl::string_view data)
      ABSL_LOCKS_EXCLUDED(mutex_);
  int WriteCgroup(FakeCgroup& cgroup, const std::string& name,
                  absl::string_view data) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsHeldByChildren(const FakeCgroup& cgroup, absl::string_view data) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool FitsRatios(const FakeCgroup& cgroup) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsFull(const FakeCgroup& parent) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  int Attach(FakeCgroup& cgroup, absl::string_view data)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Move(int64_t pid, FakeCgroup& cgroup)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  FakeCgroup& At(const std::string& cgroup)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable runtime::Mutex mutex_;
  uint64_t last_inode_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<std::string, std::shared_ptr<FakeCgroup>> cgroups_
      ABSL_GUARDED_BY(mutex_);  // by absolute path
  std::map<std::string, std::string> plain_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, uint64_t> file_inodes_ ABSL_GUARDED_BY(mutex_);
  std::string mountinfo_ ABSL_GUARDED_BY(mutex_);
  std::set<int64_t> processes_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> absent_ ABSL_GUARDED_BY(mutex_);
  std::vector<FakeFault> faults_ ABSL_GUARDED_BY(mutex_);
  std::vector<FakeWrite> writes_ ABSL_GUARDED_BY(mutex_);
  std::function<void(const std::string&)> write_observer_
      ABSL_GUARDED_BY(mutex_);
  int64_t reads_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace fairsched::testing

#include "tests/support/fake_cgroup_fs_impl.h"

#endif  // FAIRSCHED_TESTS_SUPPORT_FAKE_CGROUP_FS_H_
