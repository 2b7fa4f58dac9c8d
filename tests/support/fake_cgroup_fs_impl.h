// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_FAKE_CGROUP_FS_IMPL_H_
#define FAIRSCHED_TESTS_SUPPORT_FAKE_CGROUP_FS_IMPL_H_

// The inside of fake_cgroup_fs.h, which includes this: include that instead.
#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/errno_status.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::testing {

class FakeCgroupFs::OpenFile final : public kernel::File {
 public:
  OpenFile(FakeCgroupFs& fs, Handle handle)
      : fs_(fs), handle_(std::move(handle)) {}
  absl::StatusOr<std::string> Read() override {
    return fs_.ReadHandle(handle_);
  }
  absl::Status Write(absl::string_view data) override {
    return fs_.WriteHandle(handle_, data);
  }

 private:
  FakeCgroupFs& fs_;
  const Handle handle_;
};

inline void FakeCgroupFs::MountUnified(const std::string& path,
                                       std::set<std::string> controllers) {
  runtime::MutexLock lock(mutex_);
  Mount(path, "cgroup2 cgroup2 rw",
        std::make_shared<FakeCgroup>(FakeCgroup::Version::kUnified,
                                     std::move(controllers), ++last_inode_));
}

inline void FakeCgroupFs::MountLegacy(const std::string& path,
                                      std::set<std::string> controllers) {
  runtime::MutexLock lock(mutex_);
  const std::string type =
      absl::StrCat("cgroup cgroup rw,", absl::StrJoin(controllers, ","));
  Mount(path, type,
        std::make_shared<FakeCgroup>(FakeCgroup::Version::kLegacy,
                                     std::move(controllers), ++last_inode_));
}

inline void FakeCgroupFs::Mount(const std::string& path,
                                const std::string& type,
                                std::shared_ptr<FakeCgroup> root) {
  root->processes = processes_;
  absl::StrAppend(&mountinfo_, 100 + root->inode, " 1 0:", root->inode, " / ",
                  path, " rw,relatime - ", type, "\n");
  plain_["/proc/self/mountinfo"] = mountinfo_;
  cgroups_[path] = std::move(root);
}

inline void FakeCgroupFs::Put(const std::string& path, std::string data) {
  runtime::MutexLock lock(mutex_);
  plain_[path] = std::move(data);
}

inline void FakeCgroupFs::Remove(const std::string& path) {
  runtime::MutexLock lock(mutex_);
  std::erase_if(plain_, [&path](const auto& file) {
    return file.first == path || absl::StartsWith(file.first, path + "/");
  });
}

inline void FakeCgroupFs::WithoutFile(const std::string& file) {
  runtime::MutexLock lock(mutex_);
  absent_.insert(file);
}

inline void FakeCgroupFs::DisablePressure() {
  runtime::MutexLock lock(mutex_);
  for (const auto& [path, cgroup] : cgroups_) cgroup->has_pressure = false;
}

inline void FakeCgroupFs::AddProcess(int64_t pid, const std::string& cgroup) {
  runtime::MutexLock lock(mutex_);
  if (processes_.insert(pid).second) {
    for (const auto& [path, each] : cgroups_) {
      if (each->IsRoot()) each->processes.insert(pid);
    }
  }
  Move(pid, At(cgroup));
}

inline void FakeCgroupFs::RemoveProcess(int64_t pid) {
  runtime::MutexLock lock(mutex_);
  processes_.erase(pid);
  for (const auto& [path, cgroup] : cgroups_) cgroup->processes.erase(pid);
}

inline void FakeCgroupFs::SetUsage(const std::string& cgroup, int64_t usec) {
  runtime::MutexLock lock(mutex_);
  At(cgroup).usage_usec = usec;
}

inline void FakeCgroupFs::SetThrottled(const std::string& cgroup,
                                       int64_t usec) {
  runtime::MutexLock lock(mutex_);
  At(cgroup).throttled_usec = usec;
}

inline void FakeCgroupFs::SetPressure(const std::string& cgroup,
                                      int64_t some_total_usec) {
  runtime::MutexLock lock(mutex_);
  At(cgroup).pressure_some_usec = some_total_usec;
}

inline void FakeCgroupFs::SetThreads(const std::string& cgroup,
                                     int64_t threads) {
  runtime::MutexLock lock(mutex_);
  At(cgroup).threads = threads;
}

inline void FakeCgroupFs::FailNext(std::string part, FsOp op,
                                   absl::Status error, int times) {
  Plan({.part = std::move(part),
        .op = op,
        .error = std::move(error),
        .times = times});
}

inline void FakeCgroupFs::Plan(FakeFault fault) {
  runtime::MutexLock lock(mutex_);
  faults_.push_back(std::move(fault));
}

inline void FakeCgroupFs::ClearFaults() {
  runtime::MutexLock lock(mutex_);
  faults_.clear();
}

inline void FakeCgroupFs::SetWriteObserver(
    std::function<void(const std::string&)> observer) {
  runtime::MutexLock lock(mutex_);
  write_observer_ = std::move(observer);
}

inline std::vector<FakeWrite> FakeCgroupFs::TakeWrites() {
  runtime::MutexLock lock(mutex_);
  return std::exchange(writes_, {});
}

inline int64_t FakeCgroupFs::reads() const {
  runtime::MutexLock lock(mutex_);
  return reads_;
}

inline absl::StatusOr<std::unique_ptr<kernel::File>> FakeCgroupFs::Open(
    absl::string_view path) {
  runtime::MutexLock lock(mutex_);
  RETURN_IF_ERROR(TakeFault(path, FsOp::kOpen));
  ASSIGN_OR_RETURN(Handle handle, Find(path));
  return std::make_unique<OpenFile>(*this, std::move(handle));
}

inline absl::StatusOr<std::string> FakeCgroupFs::Read(absl::string_view path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<kernel::File> file, Open(path));
  return file->Read();
}

inline absl::Status FakeCgroupFs::Write(absl::string_view path,
                                        absl::string_view data) {
  ASSIGN_OR_RETURN(const std::unique_ptr<kernel::File> file, Open(path));
  return file->Write(data);
}

inline absl::StatusOr<std::vector<std::string>> FakeCgroupFs::ListDirectories(
    absl::string_view path) {
  runtime::MutexLock lock(mutex_);
  RETURN_IF_ERROR(TakeFault(path, FsOp::kList));
  std::set<std::string> names;
  bool found = cgroups_.contains(std::string(path));
  const std::string prefix = absl::StrCat(path == "/" ? "" : path, "/");
  for (const auto& [each, cgroup] : cgroups_) {
    absl::string_view rest = each;
    if (!absl::ConsumePrefix(&rest, prefix)) continue;
    found = true;
    names.emplace(rest.substr(0, rest.find('/')));
  }
  for (const auto& [each, data] : plain_) {
    absl::string_view rest = each;
    if (!absl::ConsumePrefix(&rest, prefix)) continue;
    found = true;
    const size_t slash = rest.find('/');
    if (slash != absl::string_view::npos) names.emplace(rest.substr(0, slash));
  }
  if (!found) return kernel::ErrnoStatus(ENOENT, "list", path);
  return std::vector<std::string>(names.begin(), names.end());
}

inline absl::Status FakeCgroupFs::MakeDirectory(absl::string_view path) {
  runtime::MutexLock lock(mutex_);
  RETURN_IF_ERROR(TakeFault(path, FsOp::kMakeDirectory));
  const std::string name(path);
  if (cgroups_.contains(name)) return absl::OkStatus();
  const auto parent = cgroups_.find(name.substr(0, name.rfind('/')));
  if (parent == cgroups_.end())
    return kernel::ErrnoStatus(ENOENT, "mkdir", path);
  if (absl::StrContains(name, '\n'))
    return kernel::ErrnoStatus(EINVAL, "mkdir", path);
  if (IsFull(*parent->second))
    return kernel::ErrnoStatus(EAGAIN, "mkdir", path);
  auto made = std::make_shared<FakeCgroup>(parent->second, ++last_inode_);
  made->has_pressure = parent->second->has_pressure;
  cgroups_[name] = std::move(made);
  return absl::OkStatus();
}

inline bool FakeCgroupFs::IsFull(const FakeCgroup& parent) const {
  for (const FakeCgroup* above = &parent; above != nullptr;
       above = above->parent()) {
    const auto below = std::count_if(
        cgroups_.begin(), cgroups_.end(), [above](const auto& each) {
          const FakeCgroup* at = each.second->parent();
          while (at != nullptr && at != above) at = at->parent();
          return at == above;
        });
    if (above->max_descendants >= 0 && below >= above->max_descendants)
      return true;
  }
  return false;
}

inline absl::Status FakeCgroupFs::RemoveDirectory(absl::string_view path) {
  runtime::MutexLock lock(mutex_);
  RETURN_IF_ERROR(TakeFault(path, FsOp::kRemoveDirectory));
  const auto found = cgroups_.find(std::string(path));
  if (found == cgroups_.end()) return absl::OkStatus();
  FakeCgroup& cgroup = *found->second;
  const bool has_children = std::any_of(
      cgroups_.begin(), cgroups_.end(),
      [&](const auto& each) { return each.second->parent() == &cgroup; });
  if (cgroup.IsRoot() || has_children || !cgroup.processes.empty())
    return kernel::ErrnoStatus(EBUSY, "rmdir", path);
  cgroup.removed = true;
  cgroups_.erase(found);
  return absl::OkStatus();
}

inline absl::StatusOr<uint64_t> FakeCgroupFs::Inode(absl::string_view path) {
  runtime::MutexLock lock(mutex_);
  const std::string name(path);
  if (const auto found = cgroups_.find(name); found != cgroups_.end())
    return found->second->inode;
  const bool is_directory =
      std::any_of(plain_.begin(), plain_.end(), [&name](const auto& file) {
        return absl::StartsWith(file.first, name + "/");
      });
  if (!is_directory && !Find(path).ok())
    return kernel::ErrnoStatus(ENOENT, "stat", path);
  uint64_t& inode = file_inodes_[name];
  if (inode == 0) inode = ++last_inode_;
  return inode;
}

inline absl::Status FakeCgroupFs::TakeFault(absl::string_view path, FsOp op) {
  for (auto fault = faults_.begin(); fault != faults_.end(); ++fault) {
    if (fault->op != op || !absl::StrContains(path, fault->part)) continue;
    if (fault->after-- > 0) continue;
    if (fault->delay != nullptr) fault->delay();
    const absl::Status error = fault->error;
    if (--fault->times == 0) faults_.erase(fault);
    return error;
  }
  return absl::OkStatus();
}

inline absl::StatusOr<FakeCgroupFs::Handle> FakeCgroupFs::Find(
    absl::string_view path) {
  const size_t slash = std::min(path.rfind('/'), path.size());
  Handle handle{.cgroup = nullptr,
                .path = std::string(path),
                .name = std::string(path.substr(slash + 1))};
  const auto found = cgroups_.find(std::string(path.substr(0, slash)));
  if (found != cgroups_.end() && !plain_.contains(handle.path))
    handle.cgroup = found->second;
  if (!HasFile(handle)) return kernel::ErrnoStatus(ENOENT, "open", path);
  return handle;
}

inline bool FakeCgroupFs::HasFile(const Handle& handle) const {
  if (handle.cgroup == nullptr) return plain_.contains(handle.path);
  const std::vector<std::string> files = handle.cgroup->Files();
  return !handle.cgroup->removed && !absent_.contains(handle.name) &&
         std::find(files.begin(), files.end(), handle.name) != files.end();
}

inline absl::StatusOr<std::string> FakeCgroupFs::ReadHandle(
    const Handle& handle) {
  runtime::MutexLock lock(mutex_);
  ++reads_;
  RETURN_IF_ERROR(TakeFault(handle.path, FsOp::kRead));
  if (!HasFile(handle)) return kernel::ErrnoStatus(ENODEV, "read", handle.path);
  if (handle.cgroup == nullptr) return plain_[handle.path];
  std::string text;
  if (const int error = handle.cgroup->Read(handle.name, text); error != 0)
    return kernel::ErrnoStatus(error, "read", handle.path);
  return text;
}

inline absl::Status FakeCgroupFs::WriteHandle(const Handle& handle,
                                              absl::string_view data) {
  runtime::MutexLock lock(mutex_);
  writes_.push_back({handle.path, std::string(data)});
  RETURN_IF_ERROR(TakeFault(handle.path, FsOp::kWrite));
  int error = 0;
  if (!HasFile(handle)) {
    error = ENODEV;
  } else if (handle.cgroup == nullptr) {
    plain_[handle.path] = std::string(data);
  } else {
    error = WriteCgroup(*handle.cgroup, handle.name, data);
  }
  if (error != 0) {
    return kernel::ErrnoStatus(error, kernel::WriteOperation(data),
                               handle.path);
  }
  if (write_observer_ != nullptr) write_observer_(handle.path);
  return absl::OkStatus();
}

inline int FakeCgroupFs::WriteCgroup(FakeCgroup& cgroup,
                                     const std::string& name,
                                     absl::string_view data) {
  if (name == "cgroup.procs" || name == "tasks") return Attach(cgroup, data);
  if (name == "cgroup.subtree_control" && IsHeldByChildren(cgroup, data))
    return EBUSY;
  const FakeCpu before = cgroup.cpu;
  if (const int error = cgroup.Write(name, data); error != 0) return error;
  if (cgroup.IsLegacy() && !FitsRatios(cgroup)) {
    cgroup.cpu = before;
    return EINVAL;
  }
  if (name == "cgroup.type") {
    for (const auto& [path, each] : cgroups_) {
      if (each->parent() == cgroup.parent() && !each->threaded)
        each->invalid = true;
    }
  }
  // Without the controller, its values are gone; with it again, made anew.
  for (const auto& [path, each] : cgroups_) {
    if (each->parent() == &cgroup && !each->HasController("cpu"))
      each->cpu = FakeCpu();
  }
  return 0;
}

// A controller goes from the leaves up.
inline bool FakeCgroupFs::IsHeldByChildren(const FakeCgroup& cgroup,
                                           absl::string_view data) const {
  return absl::StrContains(data, "-cpu") &&
         std::any_of(cgroups_.begin(), cgroups_.end(), [&](const auto& each) {
           return each.second->parent() == &cgroup &&
                  each.second->IsOnForChildren("cpu");
         });
}

// On v1 nobody may have a larger part of its time than its parent.
inline bool FakeCgroupFs::FitsRatios(const FakeCgroup& cgroup) const {
  const auto fits = [](const FakeCpu& child, const FakeCpu& parent) {
    if (parent.quota_usec < 0 || child.quota_usec < 0) return true;
    return child.quota_usec * parent.period_usec <=
           parent.quota_usec * child.period_usec;
  };
  if (!cgroup.IsRoot() && !fits(cgroup.cpu, cgroup.parent()->cpu)) return false;
  return std::all_of(cgroups_.begin(), cgroups_.end(), [&](const auto& each) {
    return each.second->parent() != &cgroup ||
           fits(each.second->cpu, cgroup.cpu);
  });
}

inline int FakeCgroupFs::Attach(FakeCgroup& cgroup, absl::string_view data) {
  constexpr int64_t kKthreadd = 2;
  int64_t pid = 0;
  if (!absl::SimpleAtoi(data, &pid) || pid < 0) return EINVAL;
  if (!processes_.contains(pid)) return ESRCH;
  if (pid == kKthreadd && !cgroup.IsRoot()) return EINVAL;
  if (cgroup.invalid || cgroup.threaded) return EOPNOTSUPP;
  if (cgroup.IsForChildren()) return EBUSY;
  Move(pid, cgroup);
  return 0;
}

inline void FakeCgroupFs::Move(int64_t pid, FakeCgroup& cgroup) {
  const auto root_of = [](const FakeCgroup* each) {
    while (!each->IsRoot()) each = each->parent();
    return each;
  };
  for (const auto& [path, each] : cgroups_) {
    if (root_of(each.get()) == root_of(&cgroup)) each->processes.erase(pid);
  }
  cgroup.processes.insert(pid);
}

inline FakeCgroup& FakeCgroupFs::At(const std::string& cgroup) {
  return *cgroups_.at(cgroup);
}

}  // namespace fairsched::testing

#endif  // FAIRSCHED_TESTS_SUPPORT_FAKE_CGROUP_FS_IMPL_H_
