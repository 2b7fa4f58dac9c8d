// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_watch.h"

#include <filesystem>
#include <memory>
#include <semaphore>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/temp_dir.h"

namespace fairsched::kernel {
namespace {

class CgroupWatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<CgroupWatch>> watch =
        CgroupWatch::Open([this] {
          called_.release();
          return absl::ZeroDuration();
        });
    ASSERT_TRUE(watch.ok()) << watch.status();
    watch_ = *std::move(watch);
  }
  void Make(const std::string& name) {
    std::filesystem::create_directory(directory_ / name);
  }
  void Remove(const std::string& name) {
    std::filesystem::remove(directory_ / name);
  }

  testing::TempDir directory_;
  std::counting_semaphore<> called_{0};
  std::unique_ptr<CgroupWatch> watch_;
};

TEST_F(CgroupWatchTest, CallsWhenADirectoryComesOrGoes) {
  Make("slice");
  watch_->Set({directory_ / "slice"});
  Make("slice/a");
  called_.acquire();
  Remove("slice/a");
  called_.acquire();
}

TEST_F(CgroupWatchTest, WhatWasMadeAnewIsWatchedAgain) {
  Make("slice");
  watch_->Set({directory_ / "slice", directory_ / "not-there"});
  Remove("slice");
  called_.acquire();  // the watch itself is gone, which is told, too
  Make("slice");
  watch_->Set({directory_ / "slice"});
  Make("slice/a");
  called_.acquire();
}

TEST_F(CgroupWatchTest, WhatIsNotNamedAnyMoreIsNotWatched) {
  Make("a");
  Make("b");
  watch_->Set({directory_ / "a"});
  watch_->Set({directory_ / "b"});
  called_.acquire();  // the end of a watch is told, too
  Make("b/x");
  called_.acquire();
}

}  // namespace
}  // namespace fairsched::kernel
