// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/real_file_system.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

// A directory of its own, gone with it.
class RealFileSystemTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "fairsched-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string Path(const std::string& name) const {
    return directory_ + "/" + name;
  }
  void Put(const std::string& name, const std::string& data) const {
    std::ofstream(Path(name)) << data;
  }

  RealFileSystem fs_;

 private:
  std::string directory_;
};

TEST_F(RealFileSystemTest, AKeptFileIsReadFromTheStartEachTime) {
  Put("a", "one\n");
  const absl::StatusOr<std::unique_ptr<File>> file = fs_.Open(Path("a"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->Read().value(), "one\n");

  ASSERT_TRUE((*file)->Write("two").ok());

  EXPECT_EQ((*file)->Read().value(), "two\n");
}

TEST_F(RealFileSystemTest, AFileLongerThanOneBufferIsReadWhole) {
  std::string data;
  for (int i = 0; i < 20000; ++i) data += std::to_string(i) + "\n";
  Put("a", data);

  EXPECT_EQ(fs_.Read(Path("a")).value(), data);
}

TEST_F(RealFileSystemTest, WhatIsLongerThanTheMostIsCutThere) {
  Put("a", std::string(kMaxFileBytes + 1, 'x'));

  EXPECT_EQ(fs_.Read(Path("a")).value().size(), kMaxFileBytes);
}

TEST_F(RealFileSystemTest, AFileOfProcThatSaysItsSizeIsZeroIsReadWhole) {
  const absl::StatusOr<std::string> status = fs_.Read("/proc/self/status");
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_THAT(*status, ::testing::HasSubstr("\nThreads:\t"));
}

TEST_F(RealFileSystemTest, AWriteMakesNoFile) {
  EXPECT_TRUE(absl::IsNotFound(fs_.Write(Path("a"), "1")));
  EXPECT_FALSE(std::filesystem::exists(Path("a")));
}

TEST_F(RealFileSystemTest, AWriteLeavesTheRestAsTheKernelsFilesDo) {
  Put("a", "12345");
  ASSERT_TRUE(fs_.Write(Path("a"), "67").ok());
  EXPECT_EQ(fs_.Read(Path("a")).value(), "67345");
}

TEST_F(RealFileSystemTest, WhatIsNotThereIsNotFoundByName) {
  for (const absl::Status& status :
       {fs_.Open(Path("gone")).status(), fs_.Read(Path("gone")).status(),
        fs_.Inode(Path("gone")).status(),
        fs_.ListDirectories(Path("gone")).status(),
        fs_.MakeDirectory(Path("gone/a"))}) {
    EXPECT_TRUE(absl::IsNotFound(status)) << status;
    EXPECT_THAT(std::string(status.message()),
                ::testing::HasSubstr(Path("gone")));
  }
}

TEST_F(RealFileSystemTest, ListsDirectoriesAndNothingElse) {
  ASSERT_TRUE(fs_.MakeDirectory(Path("d")).ok());
  ASSERT_TRUE(fs_.MakeDirectory(Path("d/b")).ok());
  ASSERT_TRUE(fs_.MakeDirectory(Path("d/a")).ok());
  Put("d/file", "");

  EXPECT_THAT(fs_.ListDirectories(Path("d")).value(),
              ::testing::UnorderedElementsAre("a", "b"));
}

TEST_F(RealFileSystemTest, MakingAndRemovingADirectoryTwiceIsFine) {
  EXPECT_TRUE(fs_.MakeDirectory(Path("d")).ok());
  EXPECT_TRUE(fs_.MakeDirectory(Path("d")).ok());
  EXPECT_TRUE(fs_.RemoveDirectory(Path("d")).ok());
  EXPECT_TRUE(fs_.RemoveDirectory(Path("d")).ok());
  EXPECT_FALSE(std::filesystem::exists(Path("d")));
}

TEST_F(RealFileSystemTest, AFileKeepsItsInodeAndAnotherHasAnother) {
  Put("a", "1");
  Put("b", "1");
  const uint64_t inode = fs_.Inode(Path("a")).value();
  Put("a", "2");
  EXPECT_EQ(fs_.Inode(Path("a")).value(), inode);
  EXPECT_NE(fs_.Inode(Path("b")).value(), inode);
}

TEST_F(RealFileSystemTest, AWriteThatAFileRefusesIsAnErrorWithItsValue) {
  const absl::StatusOr<std::unique_ptr<File>> full = fs_.Open("/dev/full");
  ASSERT_TRUE(full.ok()) << full.status();
  const absl::Status status = (*full)->Write("7");
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              ::testing::HasSubstr("write '7' to /dev/full"));
}

TEST_F(RealFileSystemTest, AFileThatCantBeWrittenCanBeOpenedAndRead) {
  // Mode and mount forbid root nothing here, but a directory is never written.
  const absl::Status status = fs_.Write(Path(""), "1");
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  const absl::StatusOr<std::unique_ptr<File>> file =
      fs_.Open("/sys/devices/system/cpu/online");
  if (!file.ok()) GTEST_SKIP() << "needs sysfs: " << file.status();
  EXPECT_TRUE((*file)->Read().ok());
  EXPECT_FALSE((*file)->Write("1").ok());
}

}  // namespace
}  // namespace fairsched::kernel
