// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_FAKE_MODIFY_WATCH_H_
#define FAIRSCHED_TESTS_SUPPORT_FAKE_MODIFY_WATCH_H_

#include <cerrno>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "agent/kernel/errno_status.h"
#include "agent/kernel/modify_watch.h"
#include "tests/support/fake_cgroup_fs.h"

namespace fairsched::testing {

// The watch on a FakeCgroupFs, of which there may be one: it tells of every
// write that a file took. Not thread-safe.
class FakeModifyWatch final : public kernel::ModifyWatch {
 public:
  explicit FakeModifyWatch(FakeCgroupFs& fs) : fs_(fs) {
    fs.SetWriteObserver([this](const std::string& path) {
      const size_t slash = path.rfind('/');
      const auto watch = watches_.find(path.substr(0, slash));
      if (watch != watches_.end())
        batch_.events.push_back({watch->second, path.substr(slash + 1)});
    });
  }
  ~FakeModifyWatch() override { fs_.SetWriteObserver(nullptr); }
  FakeModifyWatch(const FakeModifyWatch&) = delete;
  FakeModifyWatch& operator=(const FakeModifyWatch&) = delete;

  // From now on there are no more than that.
  size_t limit = 1000000;
  // Some event is lost.
  void Overflow() { batch_ = {.events = {}, .lost = true}; }
  size_t size() const { return watches_.size(); }

  absl::StatusOr<int> Add(absl::string_view directory) override {
    if (!fs_.Inode(directory).ok())
      return kernel::ErrnoStatus(ENOENT, "watch", directory);
    const auto known = watches_.find(std::string(directory));
    if (known != watches_.end()) return known->second;
    if (watches_.size() >= limit)
      return kernel::ErrnoStatus(ENOSPC, "watch", directory);
    return watches_[std::string(directory)] = ++last_;
  }
  void Remove(int watch) override {
    std::erase_if(watches_,
                  [watch](const auto& each) { return each.second == watch; });
  }
  Batch Drain() override { return std::exchange(batch_, {}); }

 private:
  FakeCgroupFs& fs_;
  std::map<std::string, int> watches_;
  int last_ = 0;
  Batch batch_;
};

}  // namespace fairsched::testing

#endif  // FAIRSCHED_TESTS_SUPPORT_FAKE_MODIFY_WATCH_H_
