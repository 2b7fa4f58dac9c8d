// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/journal_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

mode_t ModeOf(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

class DiskJournalFileTest : public ::testing::Test {
 protected:
  DiskJournalFileTest() {
    std::string name = ::testing::TempDir() + "journal-XXXXXX";
    directory_ = ::mkdtemp(name.data());
    path_ = directory_ + "/run/journal";
  }
  ~DiskJournalFileTest() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
  std::string path_;
};

TEST_F(DiskJournalFileTest, IsForItsOwnerOnly) {
  DiskJournalFile file(path_);

  EXPECT_TRUE(absl::IsNotFound(file.Read().status()));
  ASSERT_TRUE(file.Replace("a\n").ok());

  EXPECT_EQ(ModeOf(path_), 0600u);
  EXPECT_EQ(ModeOf(directory_ + "/run"), 0700u);
}

TEST_F(DiskJournalFileTest, ADirectoryThatIsThereKeepsItsMode) {
  ASSERT_EQ(::mkdir((directory_ + "/run").c_str(), 0755), 0);
  DiskJournalFile file(path_);

  ASSERT_TRUE(file.Replace("a\n").ok());

  EXPECT_EQ(ModeOf(directory_ + "/run"), 0755u);
}

TEST_F(DiskJournalFileTest, AppendsAndReplaces) {
  DiskJournalFile file(path_);
  ASSERT_TRUE(file.Replace("a\n").ok());
  ASSERT_TRUE(file.Append("b\n").ok());
  EXPECT_EQ(*file.Read(), "a\nb\n");

  ASSERT_TRUE(file.Replace("c\n").ok());

  EXPECT_EQ(*file.Read(), "c\n");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
}

TEST_F(DiskJournalFileTest, AppendsToNothingThatIsNotThere) {
  EXPECT_TRUE(absl::IsNotFound(DiskJournalFile(path_).Append("b\n")));
}

TEST_F(DiskJournalFileTest, WhatAPredecessorLeftHalfDoneIsNoObstacle) {
  DiskJournalFile file(path_);
  ASSERT_TRUE(file.Replace("a\n").ok());
  ASSERT_EQ(::symlink("/nowhere", (path_ + ".new").c_str()), 0);

  EXPECT_TRUE(file.Replace("b\n").ok());

  EXPECT_EQ(*file.Read(), "b\n");
}

TEST_F(DiskJournalFileTest, WhatOthersCouldWriteIsRefused) {
  DiskJournalFile file(path_);
  ASSERT_TRUE(file.Replace("a\n").ok());
  ASSERT_EQ(::chmod(path_.c_str(), 0620), 0);

  EXPECT_TRUE(absl::IsFailedPrecondition(file.Read().status()));
}

TEST_F(DiskJournalFileTest, OnlyAPlainFileIsRead) {
  DiskJournalFile file(path_);
  ASSERT_TRUE(file.Replace("a\n").ok());
  ASSERT_EQ(::rename(path_.c_str(), (path_ + "2").c_str()), 0);
  ASSERT_EQ(::symlink((path_ + "2").c_str(), path_.c_str()), 0);
  EXPECT_FALSE(file.Read().ok());
  EXPECT_FALSE(file.Append("b\n").ok());

  ASSERT_EQ(::unlink(path_.c_str()), 0);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);

  EXPECT_TRUE(absl::IsFailedPrecondition(file.Read().status()));
}

TEST_F(DiskJournalFileTest, RemovingItTwiceIsFine) {
  DiskJournalFile file(path_);
  ASSERT_TRUE(file.Replace("a\n").ok());

  EXPECT_TRUE(file.Remove().ok());
  EXPECT_TRUE(file.Remove().ok());

  EXPECT_TRUE(absl::IsNotFound(file.Read().status()));
}

}  // namespace
}  // namespace fairsched::kernel
