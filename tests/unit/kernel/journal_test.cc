// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/journal.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_cgroup_fs.h"
#include "tests/support/memory_journal_file.h"

namespace fairsched::kernel {
namespace {

using ::testing::HasSubstr;

class JournalTest : public ::testing::Test {
 protected:
  static JournalEntries Head() {
    JournalEntries entries;
    entries.boot_id = "boot-1";
    entries.root = "/fairsched";
    entries.mounts = {"/cg"};
    return entries;
  }
  static MovedProcess Moved(int64_t start, int64_t uid = 7) {
    return {.start_ticks = start, .uid = uid, .origin = {"/o"}};
  }
  JournalEntries InFile() const { return *ParseJournal("j", *file_.text); }

  testing::MemoryJournalFile file_;
  Journal journal_ = *Journal::Begin(file_, Head());
};

TEST_F(JournalTest, ABatchIsOneWrite) {
  journal_.RecordDirectory("/cg/fairsched");
  for (int64_t pid = 1; pid <= 100; ++pid)
    journal_.RecordProcess(pid, Moved(1));

  EXPECT_TRUE(journal_.Flush().ok());

  EXPECT_EQ(file_.appends, 1);
  EXPECT_EQ(InFile(), journal_.entries());
  EXPECT_EQ(InFile().first_origins.size(), 1u);
}

TEST_F(JournalTest, WhatIsKnownIsNotWrittenAgain) {
  journal_.RecordProcess(1, Moved(1));
  EXPECT_TRUE(journal_.Flush().ok());
  const std::string before = *file_.text;

  journal_.RecordProcess(1, Moved(1));
  EXPECT_TRUE(journal_.Flush().ok());

  EXPECT_EQ(*file_.text, before);
}

TEST_F(JournalTest, TheFirstOriginOfAUidOutlivesItsProcess) {
  journal_.RecordProcess(1, Moved(1));
  EXPECT_TRUE(journal_.Flush().ok());

  journal_.ForgetDead({});

  EXPECT_TRUE(journal_.entries().processes.empty());
  EXPECT_TRUE(journal_.entries().first_origins.contains(7));
}

TEST_F(JournalTest, ATornWriteIsMendedByTheNext) {
  file_.TearNextAppend();
  journal_.RecordProcess(1, Moved(1));
  EXPECT_TRUE(absl::IsResourceExhausted(journal_.Flush()));

  journal_.RecordProcess(2, Moved(2));
  EXPECT_TRUE(journal_.Flush().ok());

  EXPECT_EQ(InFile(), journal_.entries());
  EXPECT_EQ(InFile().processes.size(), 2u);
}

TEST_F(JournalTest, AFileThatSomebodyRemovedIsWrittenAnew) {
  file_.text.reset();
  journal_.RecordProcess(1, Moved(1));
  EXPECT_FALSE(journal_.Flush().ok());

  EXPECT_TRUE(journal_.Flush().ok());

  EXPECT_EQ(InFile(), journal_.entries());
}

TEST_F(JournalTest, TheFileStaysWithinFourTimesItsLiveEntries) {
  size_t longest = 0;
  for (int64_t pid = 1; pid <= 10000; ++pid) {
    const std::string directory = absl::StrCat("/cg/fairsched/users/uid-", pid);
    journal_.RecordDirectory(directory);
    journal_.RecordProcess(pid, Moved(pid, pid));
    ASSERT_TRUE(journal_.Flush().ok());
    journal_.ForgetDead({});
    journal_.ForgetDirectory(directory);
    journal_.ForgetFirstOrigin(pid);
    longest = std::max(longest, file_.text->size());
  }

  EXPECT_LT(longest, 20000u);
  EXPECT_EQ(journal_.entries(), Head());
  EXPECT_GT(file_.replaces, 10);
}

TEST_F(JournalTest, RewritingKeepsWhatIsLive) {
  journal_.RecordProcess(4000, Moved(3));
  for (int64_t pid = 1; pid <= 2000; ++pid) {
    journal_.RecordProcess(pid, Moved(pid));
    ASSERT_TRUE(journal_.Flush().ok());
    journal_.ForgetDead({4000});
    if (pid % 50 == 0) {
      ASSERT_TRUE(InFile().processes.contains(4000));
    }
  }
  EXPECT_GT(file_.replaces, 1);
}

TEST_F(JournalTest, LoadsWhatHoldsSinceBoot) {
  journal_.RecordProcess(1, Moved(1));
  EXPECT_TRUE(journal_.Flush().ok());

  EXPECT_EQ(*LoadJournal(file_, "boot-1"), journal_.entries());
  EXPECT_EQ(*LoadJournal(file_, "boot-2"), std::nullopt);
  file_.text = "garbage\n";
  EXPECT_THAT(std::string(LoadJournal(file_, "boot-1").status().message()),
              HasSubstr("the-journal:1: "));
  file_.text.reset();
  EXPECT_EQ(*LoadJournal(file_, "boot-1"), std::nullopt);
}

TEST(ReadBootIdTest, IsOneWord) {
  testing::FakeCgroupFs fs;
  const std::string path = "/proc/sys/kernel/random/boot_id";
  fs.Put(path, "4c9f-ab\n");
  EXPECT_EQ(*ReadBootId(fs, "/proc"), "4c9f-ab");

  for (const char* const bad : {"", "\n", "a b", "a\nb"}) {
    fs.Put(path, bad);
    EXPECT_TRUE(absl::IsInvalidArgument(ReadBootId(fs, "/proc").status()))
        << bad;
  }
}

}  // namespace
}  // namespace fairsched::kernel
