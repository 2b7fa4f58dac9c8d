// SPDX-License-Identifier: Apache-2.0
#include "server/instance_lock.h"

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::server {
namespace {

TEST(InstanceLockTest, OneAtATimeAndTheNextAfterIt) {
  const std::string path =
      absl::StrCat(::testing::TempDir(), "/instance_lock.", getpid());
  {
    const absl::StatusOr<InstanceLock> first = InstanceLock::Take(path);
    ASSERT_TRUE(first.ok()) << first.status();
    const absl::Status second = InstanceLock::Take(path).status();
    EXPECT_EQ(second.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(second.message()),
                ::testing::HasSubstr(absl::StrCat("process ", getpid())));
  }
  EXPECT_TRUE(InstanceLock::Take(path).ok());
  std::filesystem::remove(path);
}

TEST(InstanceLockTest, SaysWhichFileCannotBeMade) {
  const absl::Status status =
      InstanceLock::Take("/no/such/directory/lock").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              ::testing::HasSubstr("/no/such/directory/lock"));
}

}  // namespace
}  // namespace fairsched::server
