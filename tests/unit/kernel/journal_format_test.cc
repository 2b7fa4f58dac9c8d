// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/journal_format.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

using ::testing::HasSubstr;

constexpr char kHead[] =
    "fairsched-journal 1 boot-1\ntree /fairsched /cg/cpu /cg/acct\n";

JournalEntries Full() {
  JournalEntries entries;
  entries.boot_id = "4c9f-1";
  entries.root = "/a b/fairsched";
  entries.mounts = {"/cg/cpu", "/cg/acct"};
  entries.directories = {"/cg/cpu/a b/fairsched",
                         "/cg/cpu/a b/fairsched/users/uid-7"};
  entries.enabled = {"/cg/cpu/a b"};
  entries.first_origins = {{7, {"/", "/x"}}};
  entries.processes = {
      {42, {.start_ticks = 99, .uid = 7, .origin = {"/", "/x"}}},
      {43,
       {.start_ticks = 0,
        .uid = 4294967294,
        .origin = {"/ \\x\xff\x01", "/"}}}};
  entries.values = {
      {"/a b/x",
       {.inode = 18446744073709551615u,
        .texts = {{"cpu.max", "max 100000"}, {"cpu.weight", "1"}}}}};
  return entries;
}

TEST(JournalFormatTest, ReadsWhatItWrote) {
  const JournalEntries entries = Full();

  const absl::StatusOr<JournalEntries> parsed =
      ParseJournal("j", FormatJournal(entries));

  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, entries);
  EXPECT_EQ(entries.Lines(), 9u);
}

TEST(JournalFormatTest, EveryByteOfANameIsOnOneLine) {
  std::string name = "/";
  for (int c = 1; c < 256; ++c) {
    if (c != '\n' && c != '/') name += static_cast<char>(c);
  }
  JournalEntries entries = Full();
  entries.processes = {
      {1, {.start_ticks = 1, .uid = 1, .origin = {name, "/"}}}};

  const std::string text = FormatJournal(entries);

  EXPECT_EQ(*ParseJournal("j", text), entries);
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) {
    return c == '\n' || (c >= ' ' && c <= '~');
  }));
}

TEST(JournalFormatTest, ATornLastLineWasNeverWritten) {
  const std::string text = FormatJournal(Full());
  const size_t whole = text.rfind('\n', text.size() - 2) + 1;

  for (size_t size = whole; size < text.size(); ++size) {
    const absl::StatusOr<JournalEntries> parsed =
        ParseJournal("j", text.substr(0, size));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_TRUE(parsed->values.empty());
  }
}

TEST(JournalFormatTest, NoPrefixIsMistakenForAnotherTree) {
  const std::string text = FormatJournal(Full());
  const JournalEntries full = Full();

  for (size_t size = 0; size < text.size(); ++size) {
    const absl::StatusOr<JournalEntries> parsed =
        ParseJournal("j", text.substr(0, size));
    if (!parsed.ok()) continue;
    EXPECT_EQ(parsed->root, full.root);
    EXPECT_EQ(parsed->mounts, full.mounts);
  }
}

TEST(JournalFormatTest, ALaterLineReplacesAnEarlierOne) {
  const auto parsed = ParseJournal(
      "j", absl::StrCat(kHead, "process 5 1 7 /a /a\nprocess 5 2 8 /b /b\n"));

  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->processes.at(5).start_ticks, 2);
  EXPECT_EQ(parsed->processes.at(5).origin, (Origin{"/b", "/b"}));
}

struct BadCase {
  const char* name;
  std::string text;
  const char* message;
};
class BadJournalTest : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadJournalTest, IsRefusedWithFileLineAndReason) {
  const absl::Status status =
      ParseJournal("the-file", GetParam().text).status();

  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().message));
}

std::string WithLine(const std::string& line) {
  return absl::StrCat(kHead, line, "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BadJournalTest,
    ::testing::Values(
        BadCase{"Empty", "", "the-file:1: the file ends"},
        BadCase{"Torn", "fairsched-jour", "the-file:1: the file ends"},
        BadCase{"HeadOnly", "fairsched-journal 1 b\n", "the-file:2: "},
        BadCase{"Foreign", "root:x:0:0\n", "the-file:1: this is no journal"},
        BadCase{"Newer", "fairsched-journal 2 b\ntree /f /m\n",
                "the-file:1: version 2: only version 1"},
        BadCase{"NoBootId", "fairsched-journal 1 \ntree /f /m\n",
                "the-file:1: no boot id"},
        BadCase{"NoTree", "fairsched-journal 1 b\ndir /f\n", "the-file:2: "},
        BadCase{"TooManyMounts", "fairsched-journal 1 b\ntree /f /1 /2 /3 /4\n",
                "the-file:2: "},
        BadCase{"TreeIsTheRoot", "fairsched-journal 1 b\ntree / /m\n",
                "the-file:2: our tree can't be the root"},
        BadCase{"UnknownEntry", WithLine("proces 1"),
                "the-file:3: 'proces' is no kind"},
        BadCase{"EmptyLine", WithLine(""), "the-file:3: '' is no kind"},
        BadCase{"OtherTree", WithLine("dir /cg/cpu/other"),
                "the-file:3: '/cg/cpu/other' is not in our tree"},
        BadCase{"NameLikeOurs", WithLine("dir /cg/cpu/fairsched2"),
                "is not in our tree"},
        BadCase{"Climbs", WithLine("dir /cg/cpu/fairsched/../x"),
                "is no absolute path"},
        BadCase{"OriginClimbs", WithLine("process 1 1 1 /.. /"),
                "is no absolute path"},
        BadCase{"OriginIsRelative", WithLine("process 1 1 1 a /"),
                "is no absolute path"},
        BadCase{"NulInAPath", WithLine("process 1 1 1 /\\x00 /"),
                "is no absolute path"},
        BadCase{"NewlineInAPath", WithLine("process 1 1 1 /\\x0a /"),
                "is no absolute path"},
        BadCase{"OneOriginForTwoMounts", WithLine("process 1 1 1 /"),
                "1 cgroups for 2 mounts"},
        BadCase{"ValuesOfAnotherFile", WithLine("values /a 1 cgroup.procs=7"),
                "field 4"},
        BadCase{"ValuesOfAPath", WithLine("values /a 1 ../cpu.max=7"),
                "field 4"},
        BadCase{"ValuesWithoutAText", WithLine("values /a 1 cpu.max="),
                "field 4"},
        BadCase{"ValuesOfNothing", WithLine("values /a 1"), "not 'values"},
        BadCase{"ValuesClimb", WithLine("values /../a 1 cpu.max=max"),
                "no absolute path"},
        BadCase{"ValuesOfNoInode", WithLine("values /a x cpu.max=max"),
                "field 3"},
        BadCase{"ALongText",
                WithLine("values /a 1 cpu.max=" + std::string(65, '9')),
                "field 4"},
        BadCase{"Pid0", WithLine("process 0 1 1 / /"), "field 2"},
        BadCase{"HugePid", WithLine("process 4194305 1 1 / /"), "field 2"},
        BadCase{"NoStart", WithLine("process 1 - 1 / /"), "field 3"},
        BadCase{"NoUid", WithLine("process 1 1 4294967295 / /"), "field 4"},
        BadCase{"UidLineWithoutUid", WithLine("uid"), "field 2"},
        BadCase{"HalfAnEscape", WithLine("process 1 1 1 /\\x4 /"), "not \\xHH"},
        BadCase{"OtherEscape", WithLine("process 1 1 1 /\\n /"), "not \\xHH"},
        BadCase{"CapitalEscape", WithLine("process 1 1 1 /\\xFF /"),
                "not \\xHH"},
        BadCase{"RawByte", WithLine("process 1 1 1 /\xff /"),
                "should be escaped"},
        BadCase{"TwoSpaces", WithLine("process 1 1 1 /  /"), "absolute path"},
        BadCase{"LongLine",
                WithLine("process 1 1 1 /" + std::string(70000, 'a') + " /"),
                "the-file:3: the line is too long"}),
    [](const auto& c) { return std::string(c.param.name); });

TEST(JournalFormatTest, AFileThatIsTooLongIsRefused) {
  const std::string text(kMaxJournalBytes + 1, '\n');

  EXPECT_THAT(std::string(ParseJournal("j", text).status().message()),
              HasSubstr("the file is too long"));
}

}  // namespace
}  // namespace fairsched::kernel
