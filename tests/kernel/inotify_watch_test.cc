// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/inotify_watch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "agent/kernel/hierarchies.h"
#include "agent/kernel/real_file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

TEST(InotifyWatchTest, TellsOfWritesToFilesOfACgroupByNameWhoeverOpenedThem) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  RealFileSystem fs;
  const absl::StatusOr<Hierarchies> hierarchies = FindHierarchies(fs, "/proc");
  if (!hierarchies.ok()) GTEST_SKIP() << "needs " << hierarchies.status();
  const bool unified = hierarchies->backend == Backend::kUnified;
  // cpu.weight is there only if the controller is on; this one always is.
  const std::string file = unified ? "cgroup.max.depth" : "cpu.shares";
  const std::string directory =
      absl::StrCat(hierarchies->cpu, "/fairsched-watch-test-", ::getpid());
  ASSERT_TRUE(fs.MakeDirectory(directory).ok());
  const absl::StatusOr<std::unique_ptr<File>> kept =
      fs.Open(directory + "/" + file);
  absl::StatusOr<std::unique_ptr<ModifyWatch>> watch = OpenInotifyWatch();
  ASSERT_TRUE(watch.ok()) << watch.status();
  const absl::StatusOr<int> number = (*watch)->Add(directory);
  ASSERT_TRUE(number.ok()) << number.status();
  EXPECT_EQ((*watch)->Add(directory).value(), *number);

  EXPECT_THAT((*watch)->Drain().events, IsEmpty());
  EXPECT_TRUE((*kept)->Write("7").ok());
  EXPECT_THAT((*watch)->Drain().events,
              ElementsAre(Field(&ModifyWatch::Event::file, file)));
  EXPECT_TRUE(fs.Write(directory + "/" + file, "7").ok());
  EXPECT_THAT((*watch)->Drain().events,
              ElementsAre(Field(&ModifyWatch::Event::watch, *number)));
  (*watch)->Remove(*number);
  EXPECT_TRUE((*kept)->Write("7").ok());
  EXPECT_THAT((*watch)->Drain().events, IsEmpty());

  EXPECT_TRUE(fs.RemoveDirectory(directory).ok());
  EXPECT_TRUE(absl::IsNotFound((*watch)->Add(directory).status()));
}

}  // namespace
}  // namespace fairsched::kernel
