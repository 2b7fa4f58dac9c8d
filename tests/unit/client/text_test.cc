// SPDX-License-Identifier: Apache-2.0
#include "client/text.h"

#include <string>

#include "gtest/gtest.h"

namespace fairsched::client {
namespace {

struct SanitizedCase {
  std::string name;
  std::string text;
  std::string safe;
};

TEST(TextTest, WhatCouldDriveATerminalBecomesQuestionMarks) {
  const SanitizedCase cases[] = {
      {"Plain", "alice-1", "alice-1"},
      {"Empty", "", ""},
      {"Escape", "a\x1b[2Jb", "a?[2Jb"},
      {"Newline", "a\nb\r", "a?b?"},
      {"Delete", "a\x7f", "a?"},
      {"Nul", std::string("a\0b", 3), "a?b"},
      {"Umlaut", "J\xc3\xb6rg", "J\xc3\xb6rg"},
      {"FourBytes", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
      {"C1Control",
       "a\xc2\x9b"
       "31m",
       "a?31m"},
      {"RightToLeftOverride",
       "a\xe2\x80\xae"
       "b",
       "a?b"},
      {"Isolate", "\xe2\x81\xa6", "?"},
      {"LineSeparator", "\xe2\x80\xa8", "?"},
      {"LoneContinuation",
       "\x80"
       "a",
       "?a"},
      {"CutSequence", "a\xc3", "a?"},
      {"SequenceCutByAnEscape",
       "\xe2\x1b"
       "c",
       "??c"},
      {"OverlongEscape", "\xc0\x9b", "??"},
      {"OverlongThreeBytes", "\xe0\x80\x9b", "???"},
      {"Surrogate", "\xed\xa0\x80", "???"},
      {"BeyondUnicode", "\xf4\x90\x80\x80", "????"},
  };
  for (const SanitizedCase& c : cases) {
    EXPECT_EQ(Sanitized(c.text), c.safe) << c.name;
  }
}

TEST(TextTest, LinesKeepTheirNewlinesAndNothingElse) {
  EXPECT_EQ(SanitizedLines("a\x1b\nb\t\n"), "a?\nb?\n");
}

TEST(TextTest, WidthCountsCodePoints) {
  EXPECT_EQ(Width(""), 0U);
  EXPECT_EQ(Width("J\xc3\xb6rg"), 4U);
}

TEST(TextTest, TruncatedTextFitsAndSaysThatItWasCut) {
  EXPECT_EQ(Truncated("alice", 5), "alice");
  EXPECT_EQ(Truncated("alice", 4), "ali~");
  EXPECT_EQ(Truncated("alice", 1), "~");
  EXPECT_EQ(Truncated("\xc3\xb6\xc3\xb6\xc3\xb6", 2), "\xc3\xb6~");
}

}  // namespace
}  // namespace fairsched::client
